import { once } from 'node:events'
import { createServer } from 'node:net'
import type { TelemetryOptions } from '@temporalio/worker'

const DEADLINE_MS = 2_000

/**
 * Temporal's SDK serves its metrics over HTTP itself, here on a random local port that only this process
 * reads.
 */
export async function temporalMetrics(): Promise<{
  options: Pick<TelemetryOptions, 'metrics'>
  /** In Prometheus' text format. */
  read: () => Promise<string>
}> {
  const bindAddress = `127.0.0.1:${await freePort()}`
  const names = { countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true }
  return {
    options: { metrics: { prometheus: { bindAddress, ...names } } },
    read: async () => {
      const response = await fetch(`http://${bindAddress}/metrics`, {
        signal: AbortSignal.timeout(DEADLINE_MS),
      })
      return response.text()
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}
