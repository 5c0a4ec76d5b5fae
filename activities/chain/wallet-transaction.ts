import { storedText } from '../../db/chain/stored-transaction.ts'
import { fromRaw, multiply, negate, sign } from '../../db/values/decimal.ts'
import type { Decimal } from '../../db/values/decimal.ts'
import type { Line, NormalisedTransaction } from './normalise.ts'
import { tradeWorths } from './trade-worths.ts'
import type { WalletContext } from './wallet-context.ts'

/** The served form of a transaction: columns that requests filter and sort by, and the rest as JSON text. */
export interface ServedTransaction {
  type: string
  coinIds: string[]
  identified: boolean
  main: { coinId: string; symbol: string; count: Decimal; valueUsd: Decimal | null } | null
  /** JSON text: see db/chain/stored-transaction.ts */
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
  const fee = normalised.movements.find((movement) => movement.role === 'fee')
  const price = fee ? priceOf(fee.seq) : null
  const feeCount = fee && fromRaw(-fee.raw, fee.decimals)
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
      legs: lines.map((line, i) => ({
        action: line.action,
        count: fromRaw(line.raw, line.decimals),
        worthUsd: worths[i]!,
        asset: context.assetOf(line.token),
        nft: line.nft,
        counterparty: line.counterparty,
      })),
      fee: feeCount
        ? { count: feeCount, worthUsd: price && multiply(feeCount, price), asset: context.assetOf(null) }
        : null,
    }),
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

function absolute(value: Decimal): Decimal {
  return sign(value) < 0 ? negate(value) : value
}
