import { z } from 'zod'
import type { ReadonlyDb } from '../../db/schema.ts'
import { type CoinContractRow, type CoinRow, readCoinContracts } from '../../db/prices/read-coins.ts'
import { readRatesAt } from '../../db/prices/read-prices.ts'
import { readCurrentPrice } from '../../db/prices/read-current-price.ts'
import { convert, ratio, toNumber } from '../shapes.ts'

const percent = (span: string) => z.number().describe(`Price change over ${span} in percent; 0 when unknown`)
const score = (what: string) =>
  z.number().min(0).max(100).optional().describe(`0 to 100, only with includeRiskScore: ${what}`)
const money = (what: string) => z.number().describe(`${what} in the requested currency; 0 when unknown`)

export const scoreShape = {
  liquidityScore: score('how easy the coin is to trade, from its volume; higher is easier'),
  volatilityScore: score('how much the price moves, from 30 daily closes; higher moves more'),
  marketCapScore: score('how large the market capitalisation is; higher is larger'),
  riskScore: score('weighted sum of the three scores; higher is riskier'),
}

export const coinSchema = z.object({
  id: z.string(),
  icon: z.string().describe('URL; empty when unknown'),
  name: z.string(),
  symbol: z.string().describe('Upper case'),
  rank: z.number().int().describe('Rank by market capitalisation; 0 when unranked'),
  price: z.number().describe('Price in the requested currency'),
  priceBtc: z.number(),
  volume: money('Volume over 24 hours'),
  marketCap: money('Market capitalisation'),
  availableSupply: z.number().describe('Circulating supply; 0 when unknown'),
  totalSupply: z.number().describe('Total supply; 0 when unknown'),
  priceChange1h: percent('1 hour'),
  priceChange1d: percent('1 day'),
  priceChange1w: percent('1 week'),
  priceChange1m: percent('1 month'),
  fullyDilutedValuation: z.number().optional().describe('Fully diluted valuation in the requested currency'),
  allTimeHigh: z.number().optional().describe('Highest price, converted at the rate of its day'),
  allTimeLow: z.number().optional().describe('Lowest price, converted at the rate of its day'),
  slug: z.string(),
  websiteUrl: z.string().optional(),
  redditUrl: z.string().optional(),
  twitterUrl: z.string().optional(),
  explorers: z.array(z.string()),
  categories: z.array(z.string()),
  contractAddress: z.string().optional().describe('The first of `contractAddresses`'),
  decimals: z.number().int().optional().describe('Decimals of `contractAddress`'),
  contractAddresses: z
    .array(z.object({ blockchain: z.string(), contractAddress: z.string() }))
    .optional()
    .describe('Empty for native coins'),
  isStable: z.literal(true).optional(),
  color: z.string().optional().describe('Hexadecimal RGB without #'),
  ...scoreShape,
  avgChange: z.number().optional().describe('Mean absolute change between daily closes, percent'),
})
export type Coin = z.infer<typeof coinSchema>

/** Converts rows to coins of the response. `perUsd` is the current rate of the currency. */
export async function toCoins(
  db: ReadonlyDb,
  options: { rows: readonly CoinRow[]; currency: string; perUsd: string; withRisks: boolean },
): Promise<Coin[]> {
  const { rows, currency, perUsd, withRisks } = options
  const extremesAt = rows.flatMap(({ all_time_high_at: high, all_time_low_at: low }) => [high, low])
  const instants = extremesAt.filter((at) => at !== null)
  const [contracts, bitcoin, rates] = await Promise.all([
    readCoinContracts(
      db,
      rows.map(({ id }) => id),
    ),
    readCurrentPrice(db, 'bitcoin'),
    readRatesAt(db, { currency, instants }),
  ])
  const rateAt = new Map(instants.map((at, index) => [at.getTime(), rates?.[index]]))
  const contractsOf = Map.groupBy(contracts, ({ coin_id }) => coin_id)
  return rows.map((row) => ({
    ...identityOf(row),
    ...quoteOf(row, perUsd),
    priceBtc: ratio(row.price_usd, bitcoin?.priceUsd ?? '0'),
    ...extreme('allTimeHigh', row.all_time_high_usd, row.all_time_high_at, rateAt),
    ...extreme('allTimeLow', row.all_time_low_usd, row.all_time_low_at, rateAt),
    ...contractFields(contractsOf.get(row.id) ?? []),
    ...(withRisks && riskFields(row)),
  }))
}

function identityOf(row: CoinRow) {
  return {
    id: row.id,
    icon: row.icon ?? '',
    name: row.name,
    symbol: row.symbol.toUpperCase(),
    rank: row.rank ?? 0,
    slug: row.slug,
    explorers: row.explorers,
    categories: row.categories,
    ...(row.website_url !== null && { websiteUrl: row.website_url }),
    ...(row.reddit_url !== null && { redditUrl: row.reddit_url }),
    ...(row.twitter_url !== null && { twitterUrl: row.twitter_url }),
    ...(row.is_stable && { isStable: true as const }),
    ...(row.color !== null && { color: row.color.replace('#', '') }),
  }
}

function quoteOf(row: CoinRow, perUsd: string) {
  return {
    price: convert({ usd: row.price_usd, perUsd }),
    volume: convert({ usd: row.volume_24h_usd ?? '0', perUsd }),
    marketCap: convert({ usd: row.market_cap_usd ?? '0', perUsd }),
    availableSupply: toNumber(row.available_supply ?? '0'),
    totalSupply: toNumber(row.total_supply ?? '0'),
    priceChange1h: toNumber(row.price_change_1h ?? '0'),
    priceChange1d: toNumber(row.price_change_1d ?? '0'),
    priceChange1w: toNumber(row.price_change_1w ?? '0'),
    priceChange1m: toNumber(row.price_change_1m ?? '0'),
    ...(row.fully_diluted_valuation_usd !== null && {
      fullyDilutedValuation: convert({ usd: row.fully_diluted_valuation_usd, perUsd }),
    }),
  }
}

function extreme(
  name: 'allTimeHigh' | 'allTimeLow',
  usd: string | null,
  at: Date | null,
  rateAt: ReadonlyMap<number, string | undefined>,
): Partial<Coin> {
  const perUsd = at && rateAt.get(at.getTime())
  return usd !== null && perUsd ? { [name]: convert({ usd, perUsd }) } : {}
}

/** A coin has all scores or none of them. */
function riskFields(row: CoinRow): Partial<Coin> {
  if (row.risk_score === null) return {}
  return {
    liquidityScore: toNumber(row.liquidity_score!),
    volatilityScore: toNumber(row.volatility_score!),
    marketCapScore: toNumber(row.market_cap_score!),
    riskScore: toNumber(row.risk_score),
    avgChange: toNumber(row.avg_change!),
  }
}

function contractFields(contracts: readonly CoinContractRow[]) {
  const [first] = contracts
  return {
    contractAddresses: contracts.map(({ blockchain, address }) => ({ blockchain, contractAddress: address })),
    ...(first && { contractAddress: first.address }),
    ...(first && first.decimals !== null && { decimals: first.decimals }),
  }
}
