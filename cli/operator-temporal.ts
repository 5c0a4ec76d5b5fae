import { Client, Connection } from '@temporalio/client'
import { CommandError } from './command.ts'
import { operatorEnvironment } from './operator-environment.ts'

/** Runs `work` with a client of the Temporal server that the worker uses. */
export async function withOperatorTemporal<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const env = operatorEnvironment()
  const address = env['TEMPORAL_ADDRESS']
  if (!address)
    throw new CommandError('no Temporal server: run "npm start" in another terminal, or set TEMPORAL_ADDRESS')
  const connection = await Connection.connect({ address, connectTimeout: 5_000 }).catch((error: Error) => {
    throw new CommandError(`Temporal does not answer at ${address}: ${error.message}`)
  })
  try {
    return await work(new Client({ connection, namespace: env['TEMPORAL_NAMESPACE'] || 'default' }))
  } finally {
    await connection.close()
  }
}
