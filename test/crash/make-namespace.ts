import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'

const DAY_S = 86_400

/** Creates a Temporal namespace and waits until the whole server knows it, which takes some seconds. */
export async function makeNamespace(address: string, namespace: string): Promise<void> {
  const connection = await Connection.connect({ address })
  try {
    const period = { seconds: DAY_S as never }
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: period,
    })
    const { schedule } = new Client({ connection, namespace })
    for (let attempt = 1; ; attempt++) {
      try {
        for await (const _ of schedule.list());
        return
      } catch (error) {
        if (attempt === 100) throw error
        await sleep(200)
      }
    }
  } finally {
    await connection.close()
  }
}
