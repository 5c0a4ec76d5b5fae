import type { QuoteRow } from '../../db/prices/write-coins.ts'
import type { MarketRow } from './market-data.ts'

/** Converts a source's row to a row of coin_quotes. It is in force at once, also if the source's clock is ahead. */
export function quoteRow(
  row: MarketRow,
  stored: { coinId: string; source: string; fetchedAt: Date },
): QuoteRow {
  return {
    coin_id: stored.coinId,
    price_usd: row.priceUsd,
    volume_24h_usd: row.volume24hUsd,
    market_cap_usd: row.marketCapUsd,
    fully_diluted_valuation_usd: row.fullyDilutedValuationUsd,
    available_supply: row.availableSupply,
    total_supply: row.totalSupply,
    price_change_1h: row.priceChange1h,
    price_change_1d: row.priceChange1d,
    price_change_1w: row.priceChange1w,
    price_change_1m: row.priceChange1m,
    all_time_high_usd: row.allTimeHighUsd,
    all_time_high_at: row.allTimeHighAt,
    all_time_low_usd: row.allTimeLowUsd,
    all_time_low_at: row.allTimeLowAt,
    at: row.at < stored.fetchedAt ? row.at : stored.fetchedAt,
    source: stored.source,
    fetched_at: stored.fetchedAt,
  }
}
