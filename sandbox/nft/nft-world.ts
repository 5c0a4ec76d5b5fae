import type { Market } from '../market/market.ts'
import { createNoise, hashText, uniform } from '../market/noise.ts'
import type { ChainIndex } from '../chain/chain-index.ts'
import { collections, type SandboxCollection } from './catalogue.ts'

const day = 86_400
const slotSeconds = 6 * 3600
const historyDays = 120
const zero = '0x0000000000000000000000000000000000000000'

export type SandboxSale = {
  at: number
  tokenId: bigint
  quantity: number
  priceEth: number
  /** Exact value on the chain in wei; null: computed from `priceEth` */
  wei: bigint | null
  seller: string
  buyer: string
  transaction: string
}

export type SandboxListing = {
  tokenId: bigint
  seller: string
  quantity: number
  priceEth: number
  inUsdc: boolean
  index: number
}

export type NftWorld = ReturnType<typeof createNftWorld>

const hex = (digits: number, ...parts: (string | number)[]): string => {
  const text = parts.join(' ')
  let out = ''
  for (let n = 0; out.length < digits; n++)
    out += hashText(n + 1, text)
      .toString(16)
      .padStart(8, '0')
  return `0x${out.slice(0, digits)}`
}

/**
 * The NFT market: floors, offers and sales as pure functions of seed and time. For contracts on a
 * sandbox chain, tokens and sales come from the chain.
 */
export function createNftWorld(options: { seed: number; market: Market; indexes: readonly ChainIndex[] }) {
  const { seed, market, indexes } = options
  const keys = new Map(collections.map((one) => [one.slug, hashText(seed, one.slug)]))
  const noises = new Map(collections.map((one) => [one.slug, createNoise(keys.get(one.slug)!)]))
  const keyOf = (one: SandboxCollection): number => keys.get(one.slug)!

  const floorEth = (one: SandboxCollection, at: number): number =>
    Number((one.floorEth * Math.exp(0.03 * noises.get(one.slug)!(at))).toPrecision(4))

  /** Token ids; for a contract on a chain, those that were moved. */
  async function tokenIds(one: SandboxCollection): Promise<bigint[]> {
    if (one.size !== null) return Array.from({ length: one.size }, (_, i) => BigInt(i + 1))
    const ids = new Set((await moves(one)).map(({ transfer }) => transfer.tokenId!))
    return [...ids].sort((a, b) => (a < b ? -1 : 1))
  }

  async function moves(one: SandboxCollection) {
    const index = indexes.find(({ network }) => network.id === one.network)
    if (!index) return []
    await index.refresh()
    return index.of(one.address).flatMap((tx) => {
      const moved = tx.transfers.filter(({ token, tokenId }) => token === one.address && tokenId !== null)
      return tx.success ? moved.map((transfer) => ({ tx, transfer })) : []
    })
  }

  /** Sales between two instants, oldest first. */
  async function sales(one: SandboxCollection, from: number, to: number): Promise<SandboxSale[]> {
    const all = one.size === null ? await chainSales(one) : inventedSales(one, one.size, to)
    return all.filter(({ at }) => at >= from && at <= to)
  }

  // Caches the last list, since requests for its pages follow each other.
  const lastSales = new Map<string, { slot: number; sales: SandboxSale[] }>()

  function inventedSales(one: SandboxCollection, size: number, to: number): SandboxSale[] {
    const lastSlot = Math.floor(to / slotSeconds)
    const known = lastSales.get(one.slug)
    if (known?.slot === lastSlot) return known.sales
    const found: SandboxSale[] = []
    const start = market.anchor - historyDays * day
    for (let slot = Math.floor(start / slotSeconds); slot <= lastSlot; slot++) {
      const u = (n: number): number => uniform(keyOf(one) + n, slot)
      const at = slot * slotSeconds + Math.floor(u(1) * slotSeconds)
      if (u(2) > 0.7) continue
      const tokenId = BigInt(1 + Math.floor(u(3) * size))
      found.push({
        at,
        tokenId,
        quantity: one.standard === 'erc1155' ? 1 + Math.floor(u(4) * 3) : 1,
        wei: null,
        priceEth: Number((floorEth(one, at) * (1 + 0.5 * u(5) ** 2)).toPrecision(6)),
        seller: hex(40, one.slug, slot, 'seller'),
        buyer: hex(40, one.slug, slot, 'buyer'),
        transaction: hex(64, one.slug, slot),
      })
    }
    lastSales.set(one.slug, { slot: lastSlot, sales: found })
    return found
  }

  async function chainSales(one: SandboxCollection): Promise<SandboxSale[]> {
    const paid = (await moves(one)).filter(({ tx, transfer }) => tx.value > 0n && transfer.from !== zero)
    return paid.map(({ tx, transfer }) => ({
      at: tx.at,
      tokenId: transfer.tokenId!,
      quantity: Number(transfer.amount),
      wei: tx.value,
      priceEth: Number(tx.value) / 1e18,
      seller: transfer.from,
      buyer: transfer.to,
      transaction: tx.hash,
    }))
  }

  /** Offers at an instant, cheapest first. The first is at the floor price. Offers change once a day. */
  async function listings(one: SandboxCollection, at: number): Promise<SandboxListing[]> {
    const today = Math.floor(at / day)
    const share = one.size === null ? 0.4 : 0.12
    const u = (tokenId: bigint, n: number): number => uniform(keyOf(one) + 31 * n + today, Number(tokenId))
    const found = (await tokenIds(one))
      .filter((tokenId) => u(tokenId, 1) < share)
      .flatMap((tokenId) => {
        const seller = hex(40, one.slug, String(tokenId), 'owner')
        const quantity = one.standard === 'erc1155' ? 1 + Math.floor(u(tokenId, 2) * 4) : 1
        const offer = {
          tokenId,
          seller,
          quantity,
          over: u(tokenId, 3) ** 2,
          inUsdc: u(tokenId, 4) < 0.1,
          index: 0,
        }
        // Some owners lowered the price and left the older offer open.
        return u(tokenId, 5) < 0.1 ? [offer, { ...offer, over: offer.over + 0.2, index: 1 }] : [offer]
      })
      .sort((a, b) => a.over - b.over)
    const lowest = found[0]?.over ?? 0
    const floor = floorEth(one, at)
    return found.map(({ over, ...rest }, i) => ({
      ...rest,
      inUsdc: rest.inUsdc && i > 0,
      priceEth: i === 0 ? floor : Number((floor * (1 + 2 * (over - lowest) + 0.001)).toPrecision(6)),
    }))
  }

  function traitsOf(one: SandboxCollection, tokenId: bigint) {
    return Object.entries(one.traits).flatMap(([trait_type, values], n) => {
      const u = uniform(keyOf(one) + 977 * (n + 1), Number(tokenId))
      // Later values are rarer; some tokens have none.
      const value = u > 0.95 ? undefined : values[Math.floor((u / 0.95) ** 2 * values.length)]
      return value === undefined ? [] : [{ trait_type, value }]
    })
  }

  const imageOf = (one: SandboxCollection, tokenId: bigint): string =>
    `https://images.sluice.example/${one.slug}/${tokenId}.png`

  return {
    market,
    collections,
    floorEth,
    tokenIds,
    sales,
    listings,
    traitsOf,
    imageOf,
    hash: hex,
    owners: (one: SandboxCollection, count: number): number =>
      Math.max(1, Math.round(count * (0.4 + 0.3 * uniform(keyOf(one), 1)))),
    bySlug: (slug: string): SandboxCollection | null => collections.find((one) => one.slug === slug) ?? null,
    byContract: (network: string, address: string): SandboxCollection | null =>
      collections.find((one) => one.network === network && one.address === address.toLowerCase()) ?? null,
  }
}
