import { z } from 'zod'
import type { ReadonlyDb } from '../../db/connect.ts'
import { invalidParameter } from '../errors.ts'
import { explainCoin } from './explain-coin.ts'
import { coinSchema } from './explain-coin-schema.ts'
import { explainPoint, type NamedSet } from './explain-point.ts'
import { pointSchema } from './explain-point-schema.ts'
import type { ExplainQuery } from './explain-shape.ts'

export const explainSchema = z.union([pointSchema, coinSchema])

/** A point of the history, or a row of the coins: exactly one of both is asked for, else 400. */
export async function explain(
  db: ReadonlyDb,
  options: { query: ExplainQuery; now: Date; named: NamedSet },
): Promise<z.output<typeof explainSchema>> {
  const { coinId, date, ...others } = options.query
  if (coinId === undefined) {
    if (!date) throw invalidParameter('date')
    return await explainPoint(db, options)
  }
  // The row is that of now, in all units.
  const { interval, range, from, to } = others
  if (date ?? interval ?? range ?? from ?? to) throw invalidParameter('coinId')
  return await explainCoin(db, { ...options, query: { ...options.query, coinId } })
}
