import pg from 'pg'

export type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: () => void,
) => void

/** How much longer than its callers the pool itself waits for a connection that is being made. */
const GRACE_MS = 1_000

/**
 * Pool whose deadlines are judged by what has arrived. A process that stood still (a paused machine, a collection of
 * garbage) runs its timers before it reads its sockets: those of `pg` would refuse what was answered meanwhile, and charged.
 */
export class PatientPool extends pg.Pool {
  readonly #connectDeadlineMs: number

  /** `answerDeadlineMs`: after so long in use, a connection is ended. */
  constructor(config: pg.PoolConfig & { connectionTimeoutMillis: number; answerDeadlineMs?: number }) {
    const { connectionTimeoutMillis, answerDeadlineMs, ...rest } = config
    super({ ...rest, connectionTimeoutMillis: connectionTimeoutMillis + GRACE_MS })
    this.#connectDeadlineMs = connectionTimeoutMillis
    if (answerDeadlineMs !== undefined) endLate(this, answerDeadlineMs)
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    if (!callback)
      return new Promise((resolve, reject) =>
        this.connect((error, client) => (error ? reject(error) : resolve(client!))),
      )
    let isOver = false
    const timer = afterSockets(this.#connectDeadlineMs, () => {
      isOver = true
      callback(new Error('timeout exceeded when trying to connect'), undefined, () => {})
    })
    super.connect((error, client, done) => {
      timer.clear()
      if (isOver) client?.release()
      else callback(error, client, done)
    })
  }
}

/** Ends each connection that is in use for longer: its statement fails, and the pool makes another one. */
function endLate(pool: pg.Pool, deadlineMs: number): void {
  const timers = new WeakMap<pg.PoolClient, { clear: () => void }>()
  pool.on('acquire', (client) =>
    timers.set(
      client,
      afterSockets(deadlineMs, () => cut(client)),
    ),
  )
  pool.on('release', (_error, client) => timers.get(client)?.clear())
}

/** Calls `late` after so many milliseconds, when what the sockets have brought by then was read and nobody cleared it. */
function afterSockets(ms: number, late: () => void): { clear: () => void } {
  let immediate: NodeJS.Immediate | undefined
  const timer = setTimeout(() => (immediate = setImmediate(late)), ms).unref()
  return {
    clear: () => {
      clearTimeout(timer)
      clearImmediate(immediate)
    },
  }
}

/** As if the server had ended it: its statement fails, and the pool makes another connection. */
function cut(client: pg.PoolClient): void {
  const { connection } = client as unknown as { connection: { stream: { destroy: () => void } } }
  connection.stream.destroy()
}

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
