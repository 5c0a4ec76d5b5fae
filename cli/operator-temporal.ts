import { Client, Connection } from '@temporalio/client'
import { readTemporal } from '../web/console/config.ts'
import { CommandError } from './command.ts'
import { notSetUp } from './not-set-up.ts'
import { operatorEnvironment } from './operator-environment.ts'

/** Runs `work` with a client of the Temporal server that the worker uses. */
export async function withOperatorTemporal<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const env = operatorEnvironment()
  const temporal = readTemporal(env)
  if (!temporal)
    throw await notSetUp('no Temporal server: run "npm start" in another terminal, or set TEMPORAL_ADDRESS')
  const { address, namespace } = temporal
  const connection = await Connection.connect({ address, connectTimeout: 5_000 }).catch((error: Error) => {
    throw new CommandError(
      `Temporal does not answer at ${address}: ${error.message}.\nStart it, or correct TEMPORAL_ADDRESS; run "sluice doctor" for details.`,
    )
  })
  try {
    return await work(new Client({ connection, namespace }))
  } finally {
    await connection.close()
  }
}
