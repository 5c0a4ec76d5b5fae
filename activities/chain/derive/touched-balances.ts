import type pg from 'pg'
import { coinsOfWallets } from '../../../db/chain/balances.ts'
import type { BalanceToWrite } from '../../../db/chain/balances.ts'
import type { Mark } from '../../../db/chain/marks.ts'
import { contractsOfCoins } from '../../../db/chain/tokens.ts'
import { networkOf, tokenAssets } from '../../../db/chain/wallet-assets.ts'
import type { RangeToken } from '../../../db/chain/wallet-raw.ts'
import { mergeCoins } from '../merge-coins.ts'
import type { WalletSource } from '../wallet-source.ts'

/**
 * Reads the balances of touched wallets at one block, of all of them together: the native coins, and the coins
 * that moved. After a reorg, or to verify, it reads all coins that a wallet ever had.
 */
export async function readTouchedBalances(
  { pool, readManyBalances }: { pool: pg.Pool } & Required<Pick<WalletSource, 'readManyBalances'>>,
  input: {
    networkId: string
    blockHash: string
    marks: readonly Pick<Mark, 'walletId' | 'addresses' | 'reason'>[]
    tokens: readonly RangeToken[]
  },
): Promise<Map<string, BalanceToWrite[]>> {
  const { networkId, blockHash, marks } = input
  const network = await networkOf(pool, networkId)
  const moved = input.tokens.filter(({ moves }) => moves)
  const assets = await tokenAssets(pool, { networkId, addresses: moved.map(({ address }) => address) })
  const coinOf = new Map(
    assets.filter(({ spam_reason }) => spam_reason === null).map((one) => [one.address, one.coin_id]),
  )
  const all = await coinsOfWallets(pool, {
    networkId,
    walletIds: marks
      .filter(({ reason }) => reason === 'reorg' || reason === 'verify')
      .map(({ walletId }) => walletId),
  })
  const coins = new Map(marks.map(({ walletId }) => [walletId, new Set([network.coin_id])]))
  for (const { walletId, address } of moved)
    if (coinOf.has(address)) coins.get(walletId)!.add(coinOf.get(address)!)
  for (const { walletId, coinId } of all) coins.get(walletId)!.add(coinId)
  const coinIds = [...new Set([...coins.values()].flatMap((ids) => [...ids]))]
  const contracts = Map.groupBy(await contractsOfCoins(pool, { networkId, coinIds }), ({ coinId }) => coinId)
  const native = { token: null, coinId: network.coin_id, decimals: network.decimals }
  const asked = marks.flatMap(({ walletId, addresses: [account] }) => [
    { walletId, account: account!, ...native },
    ...[...coins.get(walletId)!]
      .flatMap((coinId) => contracts.get(coinId) ?? [])
      .map(({ address, ...coin }) => ({ walletId, account: account!, token: address, ...coin })),
  ])
  const raws = await readManyBalances({ blockHash, asked })
  const read = asked.map((one, i) => ({ ...one, raw: raws[i]! }))
  return new Map(
    [...Map.groupBy(read, ({ walletId }) => walletId)].map(([walletId, of]) => [
      walletId,
      // A token whose contract does not answer keeps its balance.
      mergeCoins(
        of
          .filter(({ raw }) => raw !== null)
          .map(({ coinId, token, raw, decimals }) => ({ coinId, token, raw, decimals })),
      ),
    ]),
  )
}
