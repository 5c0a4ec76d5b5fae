import { z } from 'zod'
import { createCoinGeckoGet } from '../../coingecko.ts'
import { SourceRejected } from '../../errors.ts'
import { decimalField } from '../../fields.ts'
import type { HttpClient } from '../../http-client.ts'
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

/** CoinGecko's records of NFT collections. */
export function createCoinGeckoNfts(options: { http: HttpClient; url: string; key: string | null }) {
  const get = createCoinGeckoGet(options)
  return {
    /** null: CoinGecko does not list the contract */
    async collection(contract: { blockchain: string; address: string }): Promise<GeckoRecord | null> {
      const platform = PLATFORMS[contract.blockchain] ?? contract.blockchain
      try {
        return await get(`/nfts/${encodeURIComponent(platform)}/contract/${contract.address}`, record)
      } catch (error) {
        if (error instanceof SourceRejected && error.message.includes('status 404')) return null
        throw error
      }
    },
  }
}

export type CoinGeckoNfts = ReturnType<typeof createCoinGeckoNfts>
