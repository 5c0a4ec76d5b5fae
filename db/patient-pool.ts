import pg from 'pg'

export type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: () => void,
) => void

/** How much longer than its callers the pool itself waits for a new connection. */
const GRACE_MS = 1_000

/**
 * Pool whose deadlines count only after the sockets are read. A process that stood still (paused machine,
 * garbage collection) runs timers before it reads sockets: the timers of `pg` would fail requests that the
 * server has already answered and charged.
 */
export class PatientPool extends pg.Pool {
  readonly #connectDeadlineMs: number

  /** `answerDeadlineMs`: a connection in use for longer is closed. */
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

/**
 * Closes each connection that is in use for longer. Its statement fails, and the pool opens another
 * connection.
 */
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

/** Calls `late` after `ms`, once the data that has arrived by then is read, unless it was cleared. */
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

/**
 * Closes the socket as if the server had done it: the statement fails, and the pool opens another connection.
 */
function cut(client: pg.PoolClient): void {
  const { connection } = client as unknown as { connection: { stream: { destroy: () => void } } }
  connection.stream.destroy()
}

interface SilenceOptions {
  /** Milliseconds that a connection may be in use before the server is probed. */
  patienceMs: number
  /** Milliseconds that the server has to answer the probe. */
  deadlineMs: number
}

/**
 * Closes the used connections of a pool when its server falls silent. A pulled cable gives no signal: a query
 * would wait for ever, and its connection would be lost to the pool. The probe uses its own connection, so
 * that slow statements are not cut. Returns a function that ends the watch.
 */
export function endSilent(pool: pg.Pool, { patienceMs, deadlineMs }: SilenceOptions): () => Promise<void> {
  const Pool = pool.constructor as typeof pg.Pool
  const asking = new Pool({
    ...pool.options,
    max: 1,
    min: 0,
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
    // If this process itself stood still, let it read its sockets first.
    await new Promise(setImmediate)
    // A connection released meanwhile has got its answer.
    for (const [client, ms] of waiting) if (since.get(client) === ms) cut(client)
  }
  const timer = setInterval(() => void look(), patienceMs / 8).unref()
  return async () => {
    clearInterval(timer)
    await asking.end()
  }
}
