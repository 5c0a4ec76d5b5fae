import { storedText } from '../../db/chain/stored-transaction.ts'
import { meaningOf } from '../../db/pnl/legs/roles.ts'
import { trustedSide, trustOf } from '../../db/values/coins.ts'
import {
  absolute,
  add,
  compare,
  divide,
  fromRaw,
  isZero,
  multiply,
  sign,
  sum,
  ZERO,
} from '../../db/values/decimal.ts'
import type { Decimal } from '../../db/values/decimal.ts'
import type { Line, NormalisedTransaction } from './normalise.ts'
import type { NetworkContext } from './wallet-context.ts'

/** The served form of a transaction: columns that requests filter and sort by, and the rest as JSON text. */
export interface ServedTransaction {
  type: string
  coinIds: string[]
  identified: boolean
  main: { coinId: string; symbol: string; count: Decimal; valueUsd: Decimal | null } | null
  /** JSON text: see db/chain/stored-transaction.ts */
  fragment: string
}

/** `priceOf` returns the price of a movement in USD at its own instant; null when its coin never had one. */
export function walletTransaction(
  context: NetworkContext,
  normalised: NormalisedTransaction,
  priceOf: (seq: number) => Decimal | null,
): ServedTransaction {
  const { transaction, lines } = normalised
  const worths = lineWorths(context, normalised, priceOf)
  // A wrap may have a fee of its own before that of the network.
  const fee = normalised.movements.findLast((movement) => movement.role === 'fee')
  const price = fee ? priceOf(fee.seq) : null
  const feeCount = fee && fromRaw(-fee.raw, fee.decimals)
  const approved = lines.find(({ action }) => action === 'Approve')
  const coinIds = [...new Set(lines.flatMap((line) => (line.coinId === null ? [] : [line.coinId])))]
  return {
    type: normalised.type,
    coinIds,
    identified: normalised.identified,
    main: mainOf(context, normalised, worths),
    fragment: storedText({
      label: normalised.label,
      at: new Date(transaction.atMs),
      hash: transaction.hash,
      explorerUrl: context.network.explorerUrl,
      // Withdrawals of validators have no transaction of their own.
      page: transaction.hash === transaction.blockHash ? 'block' : 'tx',
      legs: lines.flatMap(({ action, ...line }, i) =>
        action === 'Received' || action === 'Sent'
          ? [{ action, ...factsOf(context, line), worthUsd: worths[i]!, nft: line.nft }]
          : [],
      ),
      approval: approved ? factsOf(context, approved) : null,
      fee: feeCount
        ? {
            count: feeCount,
            worthUsd: price && multiply(feeCount, price),
            asset: context.assetOf(normalised.feeToken),
          }
        : null,
    }),
  }
}

const factsOf = (context: NetworkContext, line: Omit<Line, 'action'>) => ({
  count: fromRaw(line.raw, line.decimals),
  asset: context.assetOf(line.token),
  counterparty: line.counterparty,
})

function lineWorths(
  context: NetworkContext,
  { lines, movements }: NormalisedTransaction,
  priceOf: (seq: number) => Decimal | null,
): (Decimal | null)[] {
  const quantity = (line: Line) => fromRaw(line.raw, line.decimals)
  const meaning = (line: Line) => (line.seq === null ? null : meaningOf(movements[line.seq]!))
  const trades = lines.filter((line) => meaning(line)?.basis === 'exchanged')
  const tradeWorth = tradeWorths(
    trades.map((line) => {
      const { coinId, isStable } = context.assetOf(line.token)
      const isNft = line.nft !== null
      return { coinId, quantity: quantity(line), priceUsd: priceOf(line.seq!), isStable, isNft }
    }),
  )
  return lines.map((line) => {
    if (line.seq === null || !meaning(line)?.counts) return null
    const index = trades.indexOf(line)
    if (index >= 0) return tradeWorth[index]!
    const price = priceOf(line.seq)
    return price && absolute(multiply(quantity(line), price))
  })
}

/**
 * The main leg of the transaction: of the coins sold for a stablecoin, else of those received, else of those
 * sent, the one of the largest value.
 */
function mainOf(
  context: NetworkContext,
  { label, lines, telling, type }: NormalisedTransaction,
  worths: (Decimal | null)[],
): ServedTransaction['main'] {
  if (type === 'approve') return null
  const fungible = telling.filter((line) => line.coinId !== null && line.raw !== 0n)
  const [ins, outs] = [fungible.filter((line) => line.raw > 0n), fungible.filter((line) => line.raw < 0n)]
  const side = ins.length === 0 || (label === 'Sell' && outs.length > 0) ? outs : ins
  const worthOfLine = (line: Line) => worths[lines.indexOf(line)] ?? ZERO
  const [line] = side.toSorted((a, b) => compare(worthOfLine(b), worthOfLine(a)))
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

interface PricedLeg {
  coinId: string
  /** positive in, negative out */
  quantity: Decimal
  /** null: never priced */
  priceUsd: Decimal | null
  isStable: boolean
  isNft: boolean
}

/**
 * Value of each leg of a swap in USD. Both sides get one value, from the side that values swaps in P&L. A side
 * with an unpriced coin takes the other side's value, which copies of NFTs share equally. null: neither side can be
 * valued.
 */
function tradeWorths(legs: readonly PricedLeg[]): (Decimal | null)[] {
  const given = legs.filter((leg) => sign(leg.quantity) < 0)
  const received = legs.filter((leg) => sign(leg.quantity) > 0)
  const trusted = trustedSide({ given, received }, ({ coinId, isStable }) =>
    isStable ? Infinity : trustOf(coinId),
  )
  const valueOf = (side: readonly PricedLeg[]) =>
    side.some((leg) => leg.priceUsd === null) ? null : worthOf(side)
  const [first, second] = trusted === 'given' ? [given, received] : [received, given]
  const value = valueOf(first) ?? valueOf(second)
  if (value === null) return legs.map(() => null)
  return legs.map((leg) => {
    const side = sign(leg.quantity) < 0 ? given : received
    if (side.length === 1) return value
    if (side.every(({ isNft }) => isNft))
      return divide(multiply(value, leg.quantity), sum(side.map(({ quantity }) => quantity)))
    const market = worthOf(side)
    if (leg.priceUsd === null || isZero(market)) return null
    return divide(multiply(value, worthOf([leg])), market)
  })
}

function worthOf(legs: readonly PricedLeg[]): Decimal {
  let sum = ZERO
  for (const leg of legs) sum = add(sum, multiply(leg.quantity, leg.priceUsd ?? ZERO))
  return absolute(sum)
}
