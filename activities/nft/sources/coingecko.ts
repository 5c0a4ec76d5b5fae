import { z } from 'zod'
import { createCoinGeckoGet } from '../../coingecko.ts'
import { SourceRejected } from '../../errors.ts'
import { decimalField } from '../../fields.ts'
import type { HttpClient } from '../../http-client.ts'
import type { SourcePlan } from '../../ingest-config.ts'
import type { GeckoRecord } from '../nft-data.ts'

const figure = decimalField.nullish().transform((value) => value ?? null)
/** CoinGecko gives both the native currency and USD; the native one is used. */
const pair = z
  .object({ native_currency: figure })
  .nullish()
  .transform((value) => value?.native_currency ?? null)

const record = z
  .object({
    id: z.string().min(1),
    native_currency: z.string().min(1),
    market_cap_rank: z.int().nullish(),
    floor_price: pair,
    floor_price_24h_percentage_change: pair,
    floor_price_7d_percentage_change: pair,
    market_cap: pair,
    market_cap_24h_percentage_change: pair,
    volume_24h: pair,
    volume_24h_percentage_change: pair,
    number_of_unique_addresses: figure,
    number_of_unique_addresses_24h_percentage_change: figure,
    total_supply: figure,
    one_day_sales: figure,
    one_day_average_sale_price: figure,
  })
  .transform((row): GeckoRecord => ({
    geckoId: row.id,
    nativeCoin: row.native_currency,
    rank: row.market_cap_rank ?? null,
    floorPrice: row.floor_price,
    floorPriceChange1d: row.floor_price_24h_percentage_change,
    floorPriceChange7d: row.floor_price_7d_percentage_change,
    marketCap: row.market_cap,
    marketCapChange1d: row.market_cap_24h_percentage_change,
    volume1d: row.volume_24h,
    volumeChange1d: row.volume_24h_percentage_change,
    ownersCount: row.number_of_unique_addresses,
    ownersChange1d: row.number_of_unique_addresses_24h_percentage_change,
    totalSupply: row.total_supply,
    sales1d: row.one_day_sales,
    averagePrice1d: row.one_day_average_sale_price,
  }))

/** CoinGecko's network names that differ from our `blockchain`. */
const PLATFORMS: Record<string, string> = {
  binance_smart: 'binance-smart-chain',
  optimism: 'optimistic-ethereum',
}

const listed = z.array(
  z.object({ id: z.string().min(1), contract_address: z.string(), asset_platform_id: z.string().nullish() }),
)
/** Pairs of Unix milliseconds and an amount. */
const chart = z.object({ floor_price_native: z.array(z.tuple([z.int(), figure])) })
/** Charts of 15 days and more have one point a day, at 00:00 UTC. */
const RECENT_DAYS = '30'

export interface FloorDay {
  /** UTC, as 2026-11-29 */
  day: string
  /** in the native coin, at the start of the day */
  floorPrice: string
}

/** The list is read once a day, up to its 1,000 largest collections. */
export const LIST = { pages: 4, perPage: 250, keptMs: 86_400_000 } as const

/** CoinGecko's records of NFT collections. */
export function createCoinGeckoNfts(options: {
  http: HttpClient
  url: string
  key: string | null
  plan?: SourcePlan
  now: () => Date
}) {
  const get = createCoinGeckoGet(options)
  let known: { at: number; ids: ReadonlyMap<string, string> } | null = null

  /** CoinGecko finds no collection of Solana by its account, but names the account of each in its list. */
  async function idOnSolana(address: string): Promise<string | undefined> {
    const at = options.now().getTime()
    if (known === null || at - known.at >= LIST.keptMs) {
      const ids = new Map<string, string>()
      for (let page = 1; page <= LIST.pages; page++) {
        const order = `order=market_cap_usd_desc&per_page=${LIST.perPage}&page=${page}`
        const rows = await get(`/nfts/list?${order}`, listed)
        for (const row of rows) if (row.asset_platform_id === 'solana') ids.set(row.contract_address, row.id)
        if (rows.length < LIST.perPage) break
      }
      known = { at, ids }
    }
    return known.ids.get(address)
  }

  /** null: the list lacks it */
  async function pathOf({ blockchain, address }: Contract): Promise<string | null> {
    if (blockchain !== 'solana') return `${PLATFORMS[blockchain] ?? blockchain}/contract/${address}`
    const id = await idOnSolana(address)
    return id === undefined ? null : encodeURIComponent(id)
  }

  return {
    /** null: CoinGecko does not list the contract */
    async collection(contract: Contract): Promise<GeckoRecord | null> {
      const path = await pathOf(contract)
      if (path === null) return null
      try {
        return await get(`/nfts/${path}`, record)
      } catch (error) {
        if (error instanceof SourceRejected && error.message.includes('status 404')) return null
        throw error
      }
    },

    /** Floor prices of past days: all, or those of a month. Empty unless the plan is a paid one. */
    async floorDays(geckoId: string, { isWhole }: { isWhole: boolean }): Promise<FloorDay[]> {
      if ((options.plan ?? 'full') !== 'full') return []
      const days = isWhole ? 'max' : RECENT_DAYS
      const path = `/nfts/${encodeURIComponent(geckoId)}/market_chart?days=${days}`
      const { floor_price_native: points } = await get(path, chart)
      const byDay = new Map<string, string>()
      for (const [atMs, price] of points) {
        const day = new Date(atMs).toISOString().slice(0, 10)
        // The last point may be of this moment: a day has its first one.
        if (price !== null && !price.startsWith('-') && !byDay.has(day)) byDay.set(day, price)
      }
      return [...byDay].map(([day, floorPrice]) => ({ day, floorPrice }))
    },
  }
}

interface Contract {
  blockchain: string
  address: string
}

export type CoinGeckoNfts = ReturnType<typeof createCoinGeckoNfts>
