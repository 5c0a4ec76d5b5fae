import type { Db } from '../../schema.ts'
import { isFiatCoin } from '../../values/fiat-coin.ts'
import type { CoinRules } from './posting.ts'
import { trustOf } from './trusted-side.ts'

/** Trusts fiat and stable coins most, then BTC and ETH. */
export async function postingRules(db: Db): Promise<CoinRules> {
  const rows = await db.selectFrom('coins').select('id').where('is_stable', '=', true).execute()
  const stable = new Set(rows.map(({ id }) => id))
  return {
    isStable: (coinId: string) => stable.has(coinId) || isFiatCoin(coinId),
    trust: trustOf,
  }
}
