import { z } from 'zod'
import type { ReadonlyDb } from '../../db/schema.ts'
import { type BalanceRow, readBalances } from '../../db/chain/read-balances.ts'
import type { WalletNetwork } from '../../db/chain/read-transactions.ts'
import { countSpam, readSpamBalances, type SpamBalance } from '../../db/chain/wallet-spam.ts'
import { readCurrentPrice } from '../../db/prices/read-current-price.ts'
import {
  compare,
  decimal,
  type Decimal,
  fromRaw,
  multiply,
  toNumber as nearestDouble,
  ZERO,
} from '../../db/values/decimal.ts'
import { booleanParam, param } from '../params.ts'
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
  spam: z
    .enum(['advertises', 'impersonates', 'multisend'])
    .optional()
    .describe(
      'Why the token counts as spam: its name or symbol is an advertisement, it has the symbol of a well-known coin, or one transaction sent it to many wallets. Absent: it does not',
    ),
})
export type Balance = z.infer<typeof balanceSchema>

/** Also tokens of spam, for a query. */
export const includeSpam = booleanParam({
  default: false,
  description:
    'Also tokens of spam, at the end, without a price. If absent or false, `X-Hidden-Spam` says how many are left out',
})

/** Least value of a balance in USD, for a query. */
export const minValueUsd = param(
  (text) => (/^\d{1,15}(\.\d{1,18})?$/.test(text) ? decimal(text) : undefined),
  {
    type: 'number',
    reason: 'a decimal number from 0 without an exponent',
    description:
      'Leaves out balances (dust) that are worth less in USD; `X-Hidden-Dust` says how many. Coins without a market price stay. If absent, all are listed, so that totals are complete',
    example: 1,
  },
).optional()

interface Balances<Found> {
  balances: Found
  /** Time of the oldest price in them. */
  priceAsOf: Date | null
  /** Tokens of spam that are not among them. */
  hiddenSpam: number
  /** Balances below the asked value that are not among them. */
  hiddenDust: number
}

interface Asked {
  wallets: readonly WalletNetwork[]
  includeSpam: boolean
  /** undefined: all. */
  minValueUsd?: Decimal | undefined
}

/** Returns a lookup of balances by wallet and network, the most valuable first. */
export async function balancesOf(
  db: ReadonlyDb,
  asked: Asked,
): Promise<Balances<(wallet: WalletNetwork) => Balance[]>> {
  const { balances, ...others } = await readAll(db, asked)
  const keyOf = (at: { walletId: string; networkId: string }) => `${at.walletId}:${at.networkId}`
  const byWallet = Map.groupBy(balances, ({ at }) => keyOf(at))
  return {
    ...others,
    balances: (wallet) => (byWallet.get(keyOf(wallet)) ?? []).map(({ balance }) => balance),
  }
}

/** Balances on several networks in one list, the most valuable first. */
export async function mergedBalances(db: ReadonlyDb, asked: Asked): Promise<Balances<Balance[]>> {
  const { balances, ...others } = await readAll(db, asked)
  return { ...others, balances: balances.map(({ balance }) => balance) }
}

async function readAll(db: ReadonlyDb, { wallets, includeSpam, minValueUsd = ZERO }: Asked) {
  const [rows, bitcoin, spam] = await Promise.all([
    readBalances(db, wallets),
    readCurrentPrice(db, 'bitcoin'),
    includeSpam ? readSpamBalances(db, wallets) : countSpam(db, wallets),
  ])
  const worth = rows.filter((row) => !isDust(row, minValueUsd))
  const shown = worth.map((row) => ({ at: row, balance: toBalance(row, bitcoin?.priceUsd ?? '0') }))
  const known = { balances: shown, priceAsOf: priceAgeOf(rows), hiddenDust: rows.length - worth.length }
  if (typeof spam === 'number') return { ...known, hiddenSpam: spam }
  const marked = spam.map((row) => ({ at: row, balance: spamBalance(row) }))
  return { ...known, balances: [...shown, ...marked], hiddenSpam: 0 }
}

function isDust({ raw, decimals, priceUsd }: BalanceRow, minValueUsd: Decimal): boolean {
  if (priceUsd === null) return false
  return compare(multiply(fromRaw(BigInt(raw), decimals ?? 0), decimal(priceUsd)), minValueUsd) < 0
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

/** A price of spam would not be real. */
const spamBalance = (row: SpamBalance): Balance => ({
  ...toBalance(
    {
      ...row,
      icon: null,
      rank: null,
      priceUsd: null,
      pricedAt: null,
      priceChange1d: null,
      volume24hUsd: null,
    },
    '0',
  ),
  spam: row.reason,
})
