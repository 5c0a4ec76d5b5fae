import type pg from 'pg'
import { cut } from './patient-pool.ts'

interface SilenceOptions {
  /** Milliseconds for which a connection may be in use before the server is asked whether it is there. */
  patienceMs: number
  /** Milliseconds that it has to answer. */
  deadlineMs: number
}

/**
 * Ends the connections in use of a pool whose server has fallen silent. A cable that was pulled says nothing: who waits for
 * an answer would wait for ever, and its connection would be lost to the pool. The server is asked over a connection of its
 * own, so that a statement may take its time. Returns what ends the watch.
 */
export function endSilent(pool: pg.Pool, { patienceMs, deadlineMs }: SilenceOptions): () => Promise<void> {
  const Pool = pool.constructor as typeof pg.Pool
  const asking = new Pool({
    ...pool.options,
    max: 1,
    idleTimeoutMillis: 10_000,
    connectionTimeoutMillis: deadlineMs,
    query_timeout: deadlineMs,
  })
  asking.on('error', () => {})
  asking.on('connect', (client) => client.on('error', () => {}))
  const since = new Map<pg.PoolClient, number>()
  let isAsking = false
  pool.on('acquire', (client) => since.set(client, performance.now()))
  pool.on('release', (_error, client) => since.delete(client))

  async function look(): Promise<void> {
    const waiting = [...since].filter(([, ms]) => performance.now() - ms > patienceMs)
    if (isAsking || waiting.length === 0) return
    isAsking = true
    const isThere = await asking.query('select 1').then(
      () => true,
      () => false,
    )
    isAsking = false
    if (isThere) return
    // When this process itself was held up, its timers come before what the sockets have brought meanwhile.
    await new Promise(setImmediate)
    // What was given back meanwhile has got its answer.
    for (const [client, ms] of waiting) if (since.get(client) === ms) cut(client)
  }
  const timer = setInterval(() => void look(), patienceMs / 8).unref()
  return async () => {
    clearInterval(timer)
    await asking.end()
  }
}
