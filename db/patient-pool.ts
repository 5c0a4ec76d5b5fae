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
export function cut(client: pg.PoolClient): void {
  const { connection } = client as unknown as { connection: { stream: { destroy: () => void } } }
  connection.stream.destroy()
}
