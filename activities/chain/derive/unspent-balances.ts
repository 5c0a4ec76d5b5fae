import type pg from 'pg'
import type { BalanceToWrite } from '../../../db/chain/balances.ts'
import { unspentOutputs } from '../../../db/chain/bitcoin-wallets.ts'
import type { Mark } from '../../../db/chain/marks.ts'
import { networkOf } from '../../../db/chain/wallet-assets.ts'
import type { ChainBlock } from '../chain-data.ts'

/**
 * Balances of Bitcoin wallets at a block, by their stored outputs and inputs, which are all there where the
 * history is complete. Nothing for the others.
 */
export async function unspentBalances(
  pool: pg.Pool,
  { networkId, block, marks }: { networkId: string; block: ChainBlock; marks: readonly Mark[] },
): Promise<Map<string, BalanceToWrite[]>> {
  const { coin_id: coinId, decimals } = await networkOf(pool, networkId)
  const whole = marks.filter(({ isWhole }) => isWhole)
  const unspent = await unspentOutputs(pool, { networkId, throughBlock: block.number, wallets: whole })
  return new Map(
    marks.map(({ walletId, isWhole }) => [
      walletId,
      isWhole ? [{ coinId, token: null, raw: unspent.get(walletId) ?? 0n, decimals }] : [],
    ]),
  )
}
