import { fromRaw, multiply, negate, sign, toNumber } from '../../db/values/decimal.ts'
import type { Decimal } from '../../db/values/decimal.ts'
import type { Line, NormalisedTransaction } from './normalise.ts'
import { tradeWorths } from './trade-worths.ts'
import type { Asset, WalletContext } from './wallet-context.ts'

/** The served form of a transaction: columns that requests filter and sort by, and the rest as JSON text. */
export interface ServedTransaction {
  type: string
  coinIds: string[]
  identified: boolean
  main: { coinId: string; symbol: string; count: Decimal; valueUsd: Decimal | null } | null
  /** JSON object of the response without coinData and profitLoss, money in USD */
  fragment: string
}

/** `priceOf` gives the price in USD of a movement at its own instant; null when its coin never had one. */
export function walletTransaction(
  context: WalletContext,
  normalised: NormalisedTransaction,
  priceOf: (seq: number) => Decimal | null,
): ServedTransaction {
  const { transaction, lines } = normalised
  const worths = lineWorths(context, normalised, priceOf)
  const items = lines.map((line, i) => ({
    action: line.action,
    item: {
      id: `${transaction.hash}-${i}`,
      count: toNumber(fromRaw(line.raw, line.decimals)),
      totalWorth: number(worths[i]!),
      ...asset(context, line),
      ...(line.counterparty && {
        [line.raw < 0n || line.action !== 'Received' ? 'toAddress' : 'fromAddress']: line.counterparty,
      }),
    },
  }))
  const fee = normalised.movements.find((movement) => movement.role === 'fee')
  const icons = lines.flatMap((line) => (line.nft ? [] : [context.assetOf(line.token).icon]))
  const fragment = {
    type: normalised.label,
    date: new Date(transaction.atMs).toISOString(),
    mainContent: { coinIcons: [...new Set(icons.filter((icon) => icon !== null))], coinAssets: [] },
    transactions: [...Map.groupBy(items, ({ action }) => action)].map(([action, group]) => ({
      action,
      items: group.map(({ item }) => item),
    })),
    ...(fee && { fee: feeOf(context, fee, priceOf(fee.seq)) }),
    hash: { id: transaction.hash, explorerUrl: `${context.network.explorerUrl}/tx/${transaction.hash}` },
  }
  const coinIds = [...new Set(lines.flatMap((line) => (line.coinId === null ? [] : [line.coinId])))]
  return {
    type: normalised.type,
    coinIds,
    identified: normalised.identified,
    main: mainOf(context, normalised, worths),
    fragment: JSON.stringify(fragment),
  }
}

function lineWorths(
  context: WalletContext,
  { lines, movements }: NormalisedTransaction,
  priceOf: (seq: number) => Decimal | null,
): (Decimal | null)[] {
  const quantity = (line: Line) => fromRaw(line.raw, line.decimals)
  const trades = lines.filter((line) => line.seq !== null && movements[line.seq]?.role === 'trade')
  const tradeWorth = tradeWorths(
    trades.map((line) => {
      const { isStable, rank } = context.assetOf(line.token)
      return { quantity: quantity(line), priceUsd: priceOf(line.seq!), isStable, rank }
    }),
  )
  return lines.map((line) => {
    if (line.seq === null || movements[line.seq]?.role === 'spam') return null
    const index = trades.indexOf(line)
    if (index >= 0) return tradeWorth[index]!
    const price = priceOf(line.seq)
    return price && absolute(multiply(quantity(line), price))
  })
}

/** The leg that stands for the transaction: what was sold for a stable coin, else what was received, else the first. */
function mainOf(
  context: WalletContext,
  { label, lines, type }: NormalisedTransaction,
  worths: (Decimal | null)[],
): ServedTransaction['main'] {
  if (type === 'approve') return null
  const fungible = lines.filter((line) => line.coinId !== null && line.raw !== 0n)
  const received = fungible.find((line) => line.raw > 0n)
  const line = label === 'Sell' ? fungible[0] : (received ?? fungible[0])
  if (!line) return null
  const { coinId, symbol } = context.assetOf(line.token)
  const count = fromRaw(line.raw, line.decimals)
  return {
    coinId,
    symbol: symbol.replaceAll(/\p{Cc}/gu, ''),
    count,
    valueUsd: worths[lines.indexOf(line)] ?? null,
  }
}

function asset(context: WalletContext, line: Line) {
  const known = context.assetOf(line.token)
  const icon = known.icon ?? ''
  if (line.nft)
    return { nft: { id: `${line.nft.token}-${line.nft.id}`, name: `${known.name} #${line.nft.id}`, icon } }
  return { coin: coin(known) }
}

function feeOf(context: WalletContext, fee: { raw: bigint; decimals: number }, price: Decimal | null) {
  const count = fromRaw(-fee.raw, fee.decimals)
  const totalWorth = number(price && multiply(count, price))
  return { coin: coin(context.assetOf(null)), count: toNumber(count), totalWorth }
}

function coin({ coinId, name, symbol, icon }: Asset) {
  return { id: coinId, name, symbol, icon: icon ?? '' }
}

/** 0 stands for a worth that nobody knows. */
function number(value: Decimal | null): number {
  return value === null ? 0 : toNumber(value)
}

function absolute(value: Decimal): Decimal {
  return sign(value) < 0 ? negate(value) : value
}
