import type { ReadonlyDb } from '../../db/connect.ts'
import { readRatesAt } from '../../db/prices/read-rates.ts'
import { invalidParameter } from '../errors.ts'

/** Units of a currency for one USD now; throws 400 for a currency that has no rate. */
export async function currentRate(db: ReadonlyDb, options: { currency: string; now: Date }): Promise<string> {
  const rates = await readRatesAt(db, { currency: options.currency, instants: [options.now] })
  if (!rates) throw invalidParameter('currency')
  return rates[0]!
}
