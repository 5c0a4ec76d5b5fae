import { userInfo } from 'node:os'
import type { Client } from '@temporalio/client'
import { listFailedWorkflows, readFailure, runAgain } from '../../web/console/failed-workflow.ts'
import { findRuns, NoAttributes } from '../../web/console/find-runs.ts'
import { CommandError } from '../command.ts'
import type { Given, GivenOf } from '../command-spec.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { withOperatorTemporal } from '../operator-temporal.ts'
import { printRecord, printRows } from '../print.ts'
import type { WORKFLOWS } from '../specs/watch.ts'

/** Finds runs, lists failed ones, says why one failed, or starts it again. */
export function run(given: Given<typeof WORKFLOWS>): Promise<void> {
  return withOperatorTemporal(async (client) => {
    switch (given.action) {
      case 'list':
        return list(client, given)
      case 'failed':
        return printRows(await listFailedWorkflows(client, { limit: given.limit, now: new Date() }), given)
      case 'show': {
        const failure = await readFailure(client, given.run)
        if (!failure) throw unknown(given.run)
        const { reasons } = failure
        return printRecord(given.json ? failure : { ...failure, reasons: reasons.join(' < ') }, given)
      }
      case 'run-again': {
        const { run: runId } = given
        const operator = userInfo().username
        const result = await withOperatorDatabase((db) => runAgain({ db, client }, { runId, operator }))
        if (result === 'gone') throw unknown(runId)
        if (result === 'running') throw new CommandError('a workflow of this id runs already')
        if (given.json) return printRecord({ run: runId, result }, given)
        console.log('it runs again, with the same input')
      }
    }
  })
}

async function list(client: Client, given: GivenOf<typeof WORKFLOWS, 'list'>): Promise<void> {
  const runs = await findRuns(client, given).catch((error: unknown) => {
    throw error instanceof NoAttributes ? new CommandError(error.message) : error
  })
  printRows(runs, given)
}

const unknown = (run: string) =>
  new CommandError(`no failed run ${run}; see "sluice workflows failed". Temporal keeps runs for some days`)
