import type { ChainTransfer } from './chain-data.ts'
import type { Asset, WalletContext } from './wallet-context.ts'

/** Net change of one fungible asset in a transaction; never zero. */
export interface Leg {
  token: string | null
  asset: Asset
  raw: bigint
  counterparty: string | null
  fanOut: number
}

/** Net change of one NFT. */
export interface NftLeg {
  token: string
  tokenId: bigint
  count: bigint
  counterparty: string | null
  isSpam: boolean
}

/** Sums up the transfers of a wallet by asset: what goes to itself and what comes back (refunds) cancels out. */
export function netLegs(
  context: WalletContext,
  transfers: readonly ChainTransfer[],
): { legs: Leg[]; nfts: NftLeg[]; zeroes: ChainTransfer[] } {
  const moving = transfers.filter((one) => one.kind !== 'approval')
  const isNft = (one: ChainTransfer) => one.kind === 'erc721' || one.kind === 'erc1155'
  const legs: Leg[] = []
  for (const [token, all] of Map.groupBy(
    withoutDoubleWraps(moving.filter((one) => !isNft(one))),
    (one) => one.token,
  )) {
    const raw = total(context.address, all)
    if (raw === 0n) continue
    const fanOut = Math.max(...all.map((one) => one.fanOut))
    const counterparty = largestCounterparty(context.address, all, raw)
    legs.push({ token, asset: context.assetOf(token), raw, counterparty, fanOut })
  }
  const nfts: NftLeg[] = []
  for (const all of Map.groupBy(moving.filter(isNft), (one) => `${one.token} ${one.tokenId}`).values()) {
    const count = total(context.address, all)
    if (count === 0n) continue
    const { token, tokenId } = all[0]!
    const counterparty = largestCounterparty(context.address, all, count)
    const { isSpam } = context.assetOf(token)
    nfts.push({ token: token!, tokenId: tokenId!, count, counterparty, isSpam })
  }
  // What was given stands before what was received; otherwise in chain order.
  legs.sort((a, b) => Number(a.raw > 0n) - Number(b.raw > 0n))
  return { legs, nfts, zeroes: moving.filter((one) => one.raw === 0n && one.from !== one.to) }
}

function total(address: string, transfers: readonly ChainTransfer[]): bigint {
  let sum = 0n
  for (const one of transfers) {
    if (one.to === address) sum += one.raw
    if (one.from === address) sum -= one.raw
  }
  return sum
}

function largestCounterparty(
  address: string,
  transfers: readonly ChainTransfer[],
  raw: bigint,
): string | null {
  let largest: ChainTransfer | null = null
  for (const one of transfers) {
    const sameWay = raw > 0n ? one.to === address : one.from === address
    if (sameWay && one.from !== one.to && (largest === null || one.raw > largest.raw)) largest = one
  }
  return largest && (raw > 0n ? largest.from : largest.to)
}

/** Some wrapped assets emit both a Transfer from zero and a Deposit: the same change must not count twice. */
function withoutDoubleWraps(transfers: ChainTransfer[]): ChainTransfer[] {
  const wraps = transfers.filter((one) => one.kind === 'wrap')
  if (wraps.length === 0) return transfers
  const key = (one: ChainTransfer) => `${one.token} ${one.from} ${one.to} ${one.raw}`
  const plain = new Set(transfers.filter((one) => one.kind === 'erc20').map(key))
  return transfers.filter((one) => one.kind !== 'wrap' || !plain.has(key(one)))
}
