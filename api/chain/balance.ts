import { z } from 'zod'
import type { ReadonlyDb } from '../../db/schema.ts'
import { type BalanceRow, readBalances } from '../../db/chain/read-balances.ts'
import type { WalletNetwork } from '../../db/chain/read-transactions.ts'
import { readCurrentPrice } from '../../db/prices/read-current-price.ts'
import { fromRaw, toNumber as nearestDouble } from '../../db/values/decimal.ts'
import { oldest, ratio, toNumber } from '../shapes.ts'

export const balanceSchema = z.object({
  coinId: z.string(),
  name: z.string(),
  symbol: z.string(),
  imgUrl: z.string().describe('Empty when unknown'),
  amount: z.number().describe('In coins; in base units if `decimals` is absent'),
  price: z.number().describe('Price in USD, 0 without one'),
  isPriced: z.boolean().describe('False: the coin has no market price'),
  priceBtc: z.number(),
  pCh24h: z.number().describe('Price change over 24 hours in percent'),
  rank: z.number().int().describe('0: unranked'),
  volume: z.number().describe('Trading volume of the last 24 hours in USD'),
  chain: z.string().describe('Blockchain'),
  connectionId: z.string(),
  decimals: z.number().int().optional().describe('Absent when the contract does not state it'),
  contractAddress: z.string().optional().describe('Absent for the native coin'),
})
export type Balance = z.infer<typeof balanceSchema>

/**
 * Returns a lookup of balances by wallet and network, the most valuable first. `priceAsOf`: time of the oldest
 * price in them.
 */
export async function balancesOf(
  db: ReadonlyDb,
  wallets: readonly WalletNetwork[],
): Promise<{ balances: (wallet: WalletNetwork) => Balance[]; priceAsOf: Date | null }> {
  const [rows, bitcoin] = await Promise.all([readBalances(db, wallets), readCurrentPrice(db, 'bitcoin')])
  const keyOf = (at: { walletId: string; networkId: string }) => `${at.walletId}:${at.networkId}`
  const byWallet = Map.groupBy(rows, keyOf)
  return {
    balances: (wallet) =>
      (byWallet.get(keyOf(wallet)) ?? []).map((row) => toBalance(row, bitcoin?.priceUsd ?? '0')),
    priceAsOf: priceAgeOf(rows),
  }
}

/** Balances on several networks in one list, the most valuable first, with the time of the oldest price. */
export async function mergedBalances(
  db: ReadonlyDb,
  wallets: readonly WalletNetwork[],
): Promise<{ balances: Balance[]; priceAsOf: Date | null }> {
  const [rows, bitcoin] = await Promise.all([readBalances(db, wallets), readCurrentPrice(db, 'bitcoin')])
  const balances = rows.map((row) => toBalance(row, bitcoin?.priceUsd ?? '0'))
  return { balances, priceAsOf: priceAgeOf(rows) }
}

const priceAgeOf = (rows: readonly BalanceRow[]) => oldest(rows.map(({ pricedAt }) => pricedAt))

function toBalance(row: BalanceRow, btcUsd: string): Balance {
  const price = row.priceUsd ?? '0'
  return {
    coinId: row.coinId,
    name: row.name ?? '',
    symbol: row.symbol ?? '',
    imgUrl: row.icon ?? '',
    amount: nearestDouble(fromRaw(BigInt(row.raw), row.decimals ?? 0)),
    price: toNumber(price),
    isPriced: row.priceUsd !== null,
    priceBtc: ratio(price, btcUsd),
    pCh24h: toNumber(row.priceChange1d ?? '0'),
    rank: row.rank ?? 0,
    volume: toNumber(row.volume24hUsd ?? '0'),
    chain: row.blockchain,
    connectionId: row.networkId,
    ...(row.decimals !== null && { decimals: row.decimals }),
    ...(row.tokenAddress !== null && { contractAddress: row.tokenAddress }),
  }
}
