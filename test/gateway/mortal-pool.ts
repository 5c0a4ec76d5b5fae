import type pg from 'pg'

export type Moment = 'before' | 'after'

/**
 * A pool of a process that can die: from a chosen statement on, sent or not, it gets no more answers and
 * sends nothing.
 */
export function mortalPool(pool: pg.Pool) {
  let dead = false
  const death = Promise.withResolvers<void>()
  const die = (): void => {
    dead = true
    death.resolve()
  }
  let plan: { statement: string; moment: Moment } | null = null
  const never = new Promise<never>(() => {})

  const query = async (config: { name: string }): Promise<unknown> => {
    if (dead) return never
    const isLast = plan !== null && config.name === plan.statement
    if (isLast && plan!.moment === 'before') die()
    if (dead) return never
    const result = await pool.query(config as pg.QueryConfig)
    if (isLast) die()
    return dead ? never : result
  }
  return {
    pool: { query } as unknown as pg.Pool,
    /** Dies at the next statement of this name, before it is sent or after it is committed. */
    dieAt: (statement: string, moment: Moment): void => void (plan = { statement, moment }),
    isDead: () => dead,
    died: death.promise,
  }
}
