import { userInfo } from 'node:os'
import { listFailedWorkflows, readFailure, runAgain } from '../../web/console/failed-workflow.ts'
import { CommandError } from '../command.ts'
import type { Given } from '../command-spec.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { withOperatorTemporal } from '../operator-temporal.ts'
import { printRecord, printRows } from '../print.ts'
import type { WORKFLOWS } from '../specs/watch.ts'

/** Lists failed workflows, says why one failed, or starts it again. */
export function run(given: Given<typeof WORKFLOWS>): Promise<void> {
  return withOperatorTemporal(async (client) => {
    switch (given.action) {
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

const unknown = (run: string) =>
  new CommandError(`no failed run ${run}; see "sluice workflows failed". Temporal keeps runs for some days`)
