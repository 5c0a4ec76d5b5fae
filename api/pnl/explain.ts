import { z } from 'zod'
import type { ReadonlyDb } from '../../db/schema.ts'
import { invalidParameter } from '../errors.ts'
import { explainCoin } from './explain-coin.ts'
import { coinSchema } from './explain-coin-schema.ts'
import { explainPoint, type NamedSet } from './explain-point.ts'
import { pointSchema } from './explain-point-schema.ts'
import type { ExplainQuery } from './explain-shape.ts'

export const explainSchema = z.union([pointSchema, coinSchema])

/** Explains a point of the history or a row of the coins. Throws 400 unless the query names exactly one. */
export async function explain(
  db: ReadonlyDb,
  options: { query: ExplainQuery; now: Date; named: NamedSet },
): Promise<{ body: z.output<typeof explainSchema>; priceAsOf: Date | null }> {
  const { coinId, date, ...others } = options.query
  if (coinId === undefined) {
    if (!date) throw invalidParameter('date', 'Either it or `coinId` is required')
    return await explainPoint(db, options)
  }
  // A row is current and has all units, so a window makes no sense.
  const { interval, range, from, to } = others
  if (date ?? interval ?? range ?? from ?? to)
    throw invalidParameter('coinId', 'It must be sent without date, interval, range, from and to')
  return await explainCoin(db, { ...options, query: { ...options.query, coinId } })
}
