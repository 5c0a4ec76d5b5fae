import type { Db } from '../../schema.ts'
import { isFiatCoin } from '../../values/fiat-coin.ts'
import { UNIT_COINS } from '../valuation/unit-prices.ts'
import type { CoinRules } from './posting.ts'

const MAJORS: ReadonlySet<string> = new Set(Object.values(UNIT_COINS))

/** Trusts fiat and stable coins most, then BTC and ETH. Not by rank, because figures would change with it. */
export async function postingRules(db: Db): Promise<CoinRules> {
  const rows = await db.selectFrom('coins').select('id').where('is_stable', '=', true).execute()
  const stable = new Set(rows.map(({ id }) => id))
  return {
    isStable: (coinId: string) => stable.has(coinId) || isFiatCoin(coinId),
    trust: (coinId: string) => (MAJORS.has(coinId) ? 1 : 0),
  }
}
