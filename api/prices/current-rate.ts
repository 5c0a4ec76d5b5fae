import type { ReadonlyDb } from '../../db/schema.ts'
import { readRatesAt } from '../../db/prices/read-prices.ts'
import { unknownCurrency } from '../params.ts'

/** Returns the current units of a currency per USD. Throws 400 for a currency without a rate. */
export async function currentRate(db: ReadonlyDb, options: { currency: string; now: Date }): Promise<string> {
  const rates = await readRatesAt(db, { currency: options.currency, instants: [options.now] })
  if (!rates) throw unknownCurrency()
  return rates[0]!
}
