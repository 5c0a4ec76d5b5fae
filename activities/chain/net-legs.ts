import { absoluteUnits } from '../../db/values/decimal.ts'
import { NOBODY } from './chain-data.ts'
import type { ChainTransfer, TransferKind } from './chain-data.ts'
import type { Asset, WalletContext } from './wallet-context.ts'

/** Net change of one fungible asset in a transaction; never zero. */
export interface Leg {
  token: string | null
  asset: Asset
  raw: bigint
  counterparty: string | null
  fanOut: number
  /** locked for the wallet: rent of a token account, a smart account's deposit for its operations; no trade */
  isRent: boolean
  /** given by the network for staking */
  isReward: boolean
  /** what the leg is of a wrap of the native asset; null: none of it */
  part: 'wrap' | 'fee' | null
}

/** Net change of one NFT. */
export interface NftLeg {
  token: string
  tokenId: bigint
  count: bigint
  counterparty: string | null
  isSpam: boolean
  /** a position of DeFi, whose value is that of what is in it */
  isPosition: boolean
}

/** What contracts of liquidity positions call their NFTs: Uniswap v3 and v4, PancakeSwap, Slipstream, Algebra. */
const POSITION = /\bpositions?\b/i

/**
 * Sums the transfers of a wallet by asset; transfers to itself and refunds cancel out. `feeInside`: the part
 * of the fee that the native transfers include and the leg must not.
 */
export function netLegs(
  context: WalletContext,
  transfers: readonly ChainTransfer[],
  feeInside: bigint,
): { legs: Leg[]; nfts: NftLeg[]; zeroes: ChainTransfer[] } {
  const moving = transfers.filter(({ kind }) => !APART.has(kind))
  const isNft = (one: ChainTransfer) => one.kind === 'erc721' || one.kind === 'erc1155'
  const legs: Leg[] = []
  for (const all of Map.groupBy(
    withoutDoubleWraps(moving.filter((one) => !isNft(one))),
    (one) => `${one.token ?? ''} ${SEPARATE.has(one.kind) ? one.kind : ''}`,
  ).values()) {
    const { token, kind } = all[0]!
    const [isRent, isReward] = [kind === 'rent', kind === 'reward']
    const raw = total(context.own, all) + (token === null && !isRent && !isReward ? feeInside : 0n)
    if (raw === 0n) continue
    const fanOut = Math.max(...all.map((one) => one.fanOut))
    const counterparty = largestCounterparty(context.own, all, raw)
    legs.push({
      token,
      asset: context.assetOf(token),
      raw,
      counterparty,
      fanOut,
      isRent,
      isReward,
      part: null,
    })
  }
  const nfts: NftLeg[] = []
  for (const all of Map.groupBy(moving.filter(isNft), (one) => `${one.token} ${one.tokenId}`).values()) {
    const count = total(context.own, all)
    if (count === 0n) continue
    const { token, tokenId } = all[0]!
    const counterparty = largestCounterparty(context.own, all, count)
    const { isSpam, name } = context.assetOf(token)
    const isPosition = POSITION.test(name)
    nfts.push({ token: token!, tokenId: tokenId!, count, counterparty, isSpam, isPosition })
  }
  // Outgoing legs first, then incoming, then rent; otherwise chain order.
  const order = (leg: Leg) => (leg.isRent ? 2 : Number(leg.raw > 0n))
  legs.sort((a, b) => order(a) - order(b))
  return {
    legs: splitWraps(legs, context.network.wrappedAddress),
    nfts,
    zeroes: moving.filter((one) => one.raw === 0n && one.from !== one.to),
  }
}

/** Kinds that move nothing, or that are counted as fees. */
const APART: ReadonlySet<TransferKind> = new Set(['approval', 'operation', 'fee'])
/** Kinds that are a leg of their own beside the rest of their asset. */
const SEPARATE: ReadonlySet<TransferKind> = new Set(['rent', 'reward'])

function total(own: ReadonlySet<string>, transfers: readonly ChainTransfer[]): bigint {
  let sum = 0n
  for (const one of transfers) {
    if (own.has(one.to)) sum += one.raw
    if (own.has(one.from)) sum -= one.raw
  }
  return sum
}

/**
 * The party of the largest transfer. One-sided transfers take it from other parties' transfers of the asset.
 */
function largestCounterparty(
  own: ReadonlySet<string>,
  transfers: readonly ChainTransfer[],
  raw: bigint,
): string | null {
  let largest: { party: string; raw: bigint } | null = null
  for (const one of transfers) {
    const [mine, other] = raw > 0n ? [one.to, one.from] : [one.from, one.to]
    const isOther = (own.has(mine) || mine === NOBODY) && other !== NOBODY && !own.has(other)
    if (isOther && (largest === null || one.raw > largest.raw)) largest = { party: other, raw: one.raw }
  }
  return largest && largest.party
}

/** Some wrapped assets emit both a Transfer from zero and a Deposit; the change must count only once. */
function withoutDoubleWraps(transfers: ChainTransfer[]): ChainTransfer[] {
  const key = (one: ChainTransfer) => `${one.token} ${one.from} ${one.to} ${one.raw}`
  const plain = new Set(transfers.filter((one) => one.kind === 'erc20').map(key))
  return transfers.filter((one) => one.kind !== 'wrap' || !plain.has(key(one)))
}

/** What a wrap costs beside gas, at most, of the amount given; more is another payment. */
const LARGEST_FEE = { numerator: 1n, denominator: 20n }

/**
 * Marks what only changed between the native asset and its wrapped form, and splits off what did not: a small
 * rest that went out alone is the fee of the wrap, any other rest a leg of its own.
 */
function splitWraps(legs: readonly Leg[], wrappedAddress: string | null): Leg[] {
  const native = legs.find((leg) => leg.token === null && !leg.isRent && !leg.isReward)
  const wrapped = legs.find((leg) => leg.token !== null && leg.token === wrappedAddress)
  if (!native || !wrapped || native.raw > 0n === wrapped.raw > 0n) return [...legs]
  const rest = native.raw + wrapped.raw
  const larger = absoluteUnits(native.raw) > absoluteUnits(wrapped.raw) ? native : wrapped
  const others = legs.filter((leg) => leg !== native && leg !== wrapped && !leg.isRent)
  const isFee =
    others.length === 0 && rest < 0n && -rest * LARGEST_FEE.denominator <= -larger.raw * LARGEST_FEE.numerator
  return legs.flatMap((leg): Leg[] => {
    if (leg !== native && leg !== wrapped) return [leg]
    if (leg !== larger || rest === 0n) return [{ ...leg, part: 'wrap' }]
    return [
      { ...leg, raw: leg.raw - rest, part: 'wrap' },
      { ...leg, raw: rest, part: isFee ? 'fee' : null },
    ]
  })
}
