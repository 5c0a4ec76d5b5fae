import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection, type ScheduleExecutionStartWorkflowActionResult } from '@temporalio/client'
import { readRun } from '../../cli/supervisor/run-file.ts'
import type { RunningSluice } from './running.ts'

/** Schedules that process the data of wallets, each after the schedules whose rows it reads. */
const DERIVED = [
  'fill-new-coins',
  'refresh-nfts',
  'refresh-risks',
  'refresh-defi',
  'refresh-pnl',
  'snapshot-portfolios',
]

type Workflow = ScheduleExecutionStartWorkflowActionResult['workflow']

/**
 * Runs at once, and waits for, what an installation does by itself some minutes after its wallets were
 * synced.
 */
export async function settle({ home }: Pick<RunningSluice, 'home'>): Promise<void> {
  const connection = await Connection.connect({ address: readRun(home)!.temporalAddress })
  try {
    const client = new Client({ connection })
    for (const id of DERIVED) await runOnce(client, id)
  } finally {
    await connection.close()
  }
}

/**
 * Waits for the workflow of this trigger, because an earlier one may have read before the wallets were
 * stored.
 */
async function runOnce(client: Client, id: string): Promise<void> {
  const schedule = client.schedule.getHandle(id)
  const runsOf = async () =>
    (await schedule.describe()).info.recentActions.map(({ action }) => action.workflow)
  const resultOf = async ({ workflowId, firstExecutionRunId }: Workflow) =>
    void (await client.workflow.getHandle(workflowId, firstExecutionRunId).result())
  const before = (await runsOf()).at(-1)
  // While a run is going on, Temporal would skip another one.
  if (before) await resultOf(before)
  await schedule.trigger()
  for (let attempt = 0; attempt < 100; attempt++, await sleep(100)) {
    const last = (await runsOf()).at(-1)
    if (last && last.firstExecutionRunId !== before?.firstExecutionRunId) return resultOf(last)
  }
  throw new Error(`${id} was triggered and does not run`)
}
