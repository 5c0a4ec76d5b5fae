import type { Leg, ListedTransaction } from './read-transactions.ts'
import { fiatCoinId } from '../values/coins.ts'
import { networkNamed } from '../values/networks.ts'
import type { Rates, Transaction } from '../chain/served-transaction.ts'
import { isMoney, legWorthsUsd } from './leg-worths.ts'

interface Context {
  /** Current price in USD by coin id. */
  prices: ReadonlyMap<string, number>
  rates: Rates
}

const LABELS = { deposit: 'Received', withdraw: 'Sent', balance: 'Balance', fee: 'Sent' } as const

/** JSON of a transaction. Worths are doubles, since they are only shown and never summed. */
export function exchangeTransaction(row: ListedTransaction, context: Context): Transaction {
  const { moved, fee, label, worths } = partsOf(row)
  const items = moved.map((leg) => ({
    action: Number(leg.delta) < 0 ? ('Sent' as const) : ('Received' as const),
    item: {
      id: `${row.kind}:${row.key}:${leg.role}`,
      ...amountOf(leg, worths, context),
      coin: coinOf(leg),
      ...(row.address !== null && { [Number(leg.delta) < 0 ? 'toAddress' : 'fromAddress']: row.address }),
    },
  }))
  const icons = moved.flatMap(({ icon }) => (icon === null ? [] : [icon]))
  return {
    type: label,
    date: row.at.toISOString(),
    mainContent: { coinIcons: [...new Set(icons)], coinAssets: [] },
    transactions: [...Map.groupBy(items, ({ action }) => action)].map(([action, group]) => ({
      action,
      items: group.map(({ item }) => item),
    })),
    ...(fee && { fee: feeOf(fee, context) }),
    ...(row.txHash !== null && { hash: { id: row.txHash, explorerUrl: explorerUrl(row) } }),
    ...movingFields(mainOf(label, moved) ?? fee, worths, context),
  }
}

/** The main coin of a transaction and its worth at that time. */
export function mainCoin(
  row: ListedTransaction,
  context: Context,
): { coinId: string; totalWorth: number } | null {
  const { moved, fee, label, worths } = partsOf(row)
  const main = mainOf(label, moved) ?? fee
  return main ? { coinId: coinOf(main).id, totalWorth: amountOf(main, worths, context).totalWorth } : null
}

type Worths = ReturnType<typeof legWorthsUsd>

/** A fee of its own, such as that of a trade in a second coin, moves nothing else. */
function partsOf(row: ListedTransaction): {
  moved: Leg[]
  fee: Leg | undefined
  label: string
  worths: Worths
} {
  const isFee = (leg: Leg) => row.type === 'fee' || leg.role === 'fee'
  const moved = row.legs.filter((leg) => !isFee(leg))
  const label = row.type === 'executed' ? tradeLabel(moved) : LABELS[row.type]
  const worths = legWorthsUsd(row.type === 'fee' ? row.legs : moved)
  return { moved, fee: row.legs.find(isFee), label, worths }
}

/** Buy or sell if the other side is money or a stable coin, else swap. */
function tradeLabel(moved: readonly Leg[]): string {
  const base = moved.find(({ role }) => role === 'base')
  const quote = moved.find(({ role }) => role === 'quote')
  if (!base || !quote || !isMoney(quote) || isMoney(base)) return 'Swap'
  return Number(base.delta) < 0 ? 'Sell' : 'Buy'
}

/** The main leg: the coin sold for money, else the first leg that came in, else the first leg. */
function mainOf(label: string, moved: readonly Leg[]): Leg | undefined {
  if (label === 'Sell') return moved.find(({ role }) => role === 'base')
  return moved.find(({ delta }) => Number(delta) > 0) ?? moved[0]
}

function amountOf(leg: Leg, worths: Worths, { rates }: Context) {
  return { count: Number(leg.delta), totalWorth: (worths.get(leg) ?? 0) * rates.then }
}

/** The fee paid; a rebate is negative. */
function feeOf(fee: Leg, { rates }: Context) {
  const count = -Number(fee.delta)
  return { coin: coinOf(fee), count, totalWorth: count * Number(fee.priceUsd ?? 0) * rates.then }
}

function coinOf({ asset, coinId, currency, name, icon }: Leg) {
  return {
    id: coinId ?? (currency === null ? asset : fiatCoinId(currency)),
    name: name ?? asset,
    symbol: asset,
    icon: icon ?? '',
  }
}

function movingFields(
  main: Leg | undefined,
  worths: Worths,
  { prices, rates }: Context,
): Pick<Transaction, 'coinData' | 'profitLoss'> {
  if (!main) return {}
  const count = Number(main.delta)
  const price = main.coinId === null ? undefined : prices.get(main.coinId)
  const currentValue = Math.abs(count) * (price ?? 0) * rates.now
  const coinData = { count, symbol: main.asset, currentValue }
  const worth = worths.get(main) ?? null
  if (price === undefined || worth === null) return { coinData }
  const value = worth * rates.then
  const profit = (currentValue - value) * (count < 0 ? -1 : 1)
  return {
    coinData,
    profitLoss: { profit, profitPercent: value === 0 ? 0 : (profit / value) * 100, currentValue },
  }
}

/** Empty when the network has no known explorer. */
function explorerUrl({ network, txHash }: ListedTransaction): string {
  const known = network === null ? null : networkNamed(network)
  return known ? `${known.explorerUrl}/tx/${txHash}` : ''
}
