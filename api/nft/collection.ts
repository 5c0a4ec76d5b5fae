import { z } from 'zod'
import type { CollectionRow } from '../../db/nft/read-collections.ts'
import { toNumber } from '../shapes.ts'

const main = (what: string) => z.number().optional().describe(`${what} in the main currency`)
const usd = (what: string) => z.number().optional().describe(`${what} in USD`)
const count = (what: string) => z.number().optional().describe(what)
const percent = (what: string) => z.number().optional().describe(`${what}, in percent`)
const volumeChange = (days: string) =>
  percent(`Change of the volume of the last ${days} against the ${days} before`)

export const collectionSchema = z
  .object({
    address: z.string().describe('Contract address'),
    description: z.string(),
    name: z.string(),
    bannerImg: z.string().optional(),
    blockchain: z.string().optional(),
    img: z.string().optional(),
    relevantUrls: z.array(z.object({ name: z.string(), url: z.string() })).optional(),
    slug: z.string().optional().describe('Slug on the marketplace'),
    slugCs: z.string().optional().describe('CoinGecko id'),
    source: z.string().optional().describe('Source of the description'),
    verified: z.boolean().optional(),
    show: z
      .boolean()
      .optional()
      .describe('False for spam, NSFW and delisted collections, which public lists should hide'),
    rank: z.number().int().optional().describe('Rank by market capitalisation in its category'),
    rankAll: z.number().int().optional().describe('Rank by market capitalisation among all collections'),
    count: count('Known tokens'),
    totalSupply: z.number().optional(),
    listedCount: count('Tokens on sale'),
    ownersCount: z.number().optional(),
    averagePrice: main('Average price of all sales'),
    floorPriceMc: main('Cheapest offer'),
    floorPriceUsd: usd('Cheapest offer'),
    oneDayAveragePrice: main('Average sale price of the last day'),
    sevenDayAveragePrice: main('Average sale price of the last 7 days'),
    thirtyDayAveragePrice: main('Average sale price of the last 30 days'),
    marketcapMc: main('Market capitalisation (supply times floor price)'),
    marketcapUsd: usd('Market capitalisation (supply times floor price)'),
    mainCurrencyId: z.string().optional().describe('Coin id of the main currency'),
    oneDaySales: count('Sales of the last day'),
    sevenDaySales: count('Sales of the last 7 days'),
    thirtyDaySales: count('Sales of the last 30 days'),
    totalSales: count('All-time sales'),
    thirtyDayVolume: main('Volume of the last 30 days'),
    totalVolume: main('All-time volume'),
    volume: main('Volume of the last day'),
    volumeMc24h: main('Volume of the last day'),
    volumeMc7d: main('Volume of the last 7 days'),
    volumeUsd24h: usd('Volume of the last day'),
    volumeUsd7d: usd('Volume of the last 7 days'),
    floorPriceChange24h: percent('Change of the floor price over 24 hours'),
    floorPriceChange7d: percent('Change of the floor price over 7 days'),
    marketcapChange24h: percent('Change of the market capitalisation over 24 hours'),
    marketcapChange7d: percent('Change of the market capitalisation over 7 days'),
    volumeChange24h: volumeChange('day'),
    volumeChange7d: volumeChange('7 days'),
    ownersCountChange24h: count('Change of the number of owners over 24 hours'),
    ownersCountChange7d: count('Change of the number of owners over 7 days'),
    salesInProfit: percent("Share of a day's resales above the token's previous sale price"),
    salesInProfitChange24h: count('Change of salesInProfit over 24 hours in percentage points'),
    salesInProfitChange7d: count('Change of salesInProfit over 7 days in percentage points'),
    oneDayChange: volumeChange('day'),
    sevenDayChange: volumeChange('7 days'),
    thirtyDayChange: volumeChange('30 days'),
    creatorFee: z.number().int().optional().describe('Creator fee in basis points'),
    transactionsUpdateDate: z.iso.datetime().optional().describe('When its sales were last read'),
    createdDate: z.iso.datetime().optional(),
  })
  .meta({ title: 'NftCollection' })
export type Collection = z.infer<typeof collectionSchema>

/** Optional fields are absent, not null, when no source fills them. */
export function toCollection(row: CollectionRow): Collection {
  const { address, description, name, blockchain, source } = row
  return {
    address,
    description,
    name,
    blockchain,
    source,
    ...texts({ bannerImg: row.bannerUrl, img: row.imageUrl, slug: row.slug, slugCs: row.geckoId }),
    relevantUrls: row.urls,
    ...(row.verified !== null && { verified: row.verified }),
    show: row.isShown,
    mainCurrencyId: row.coinId,
    ...numbers({
      rank: row.categoryRank,
      rankAll: row.rank,
      count: row.assetsCount || null,
      totalSupply: row.supply,
      listedCount: row.listedCount,
      ownersCount: row.owners,
      averagePrice: row.averagePrice,
      floorPriceMc: row.floor,
      floorPriceUsd: row.floorUsd,
      oneDayAveragePrice: row.averagePrice1d,
      sevenDayAveragePrice: row.averagePrice7d,
      thirtyDayAveragePrice: row.averagePrice30d,
      marketcapMc: row.marketCap,
      marketcapUsd: row.marketCapUsd,
      oneDaySales: row.sales1d,
      sevenDaySales: row.sales7d,
      thirtyDaySales: row.sales30d,
      totalSales: row.salesTotal,
      thirtyDayVolume: row.volume30d,
      totalVolume: row.volumeTotal,
      volume: row.volume1d,
      volumeMc24h: row.volume1d,
      volumeMc7d: row.volume7d,
      volumeUsd24h: row.volume1dUsd,
      volumeUsd7d: row.volume7dUsd,
      floorPriceChange24h: row.floorChange1d,
      floorPriceChange7d: row.floorChange7d,
      marketcapChange24h: row.marketCapChange1d,
      marketcapChange7d: row.marketCapChange7d,
      volumeChange24h: row.volumeChange1d,
      volumeChange7d: row.volumeChange7d,
      ownersCountChange24h: row.ownersChange1d,
      ownersCountChange7d: row.ownersChange7d,
      salesInProfit: row.salesInProfit,
      salesInProfitChange24h: row.salesInProfitChange1d,
      salesInProfitChange7d: row.salesInProfitChange7d,
      oneDayChange: row.volumeChange1d,
      sevenDayChange: row.volumeChange7d,
      thirtyDayChange: row.volumeChange30d,
      creatorFee: row.creatorFeeBps,
    }),
    ...(row.salesReadAt && { transactionsUpdateDate: row.salesReadAt.toISOString() }),
    ...(row.createdAt && { createdDate: row.createdAt.toISOString() }),
  }
}

function numbers<Key extends string>(
  values: Record<Key, string | number | null>,
): Partial<Record<Key, number>> {
  const known = Object.entries<string | number | null>(values).filter(([, value]) => value !== null)
  return Object.fromEntries(known.map(([key, value]) => [key, toNumber(String(value))])) as Partial<
    Record<Key, number>
  >
}

function texts<Key extends string>(values: Record<Key, string | null>): Partial<Record<Key, string>> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) as Partial<
    Record<Key, string>
  >
}
