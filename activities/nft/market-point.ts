import type { KnownCollection } from '../../db/nft/read-for-ingest.ts'
import type { NftPoint } from '../../db/nft/tables.ts'
import { decimal, divide, formatDecimal, isZero } from '../../db/values/decimal.ts'
import { convertAmount, type Quotes } from './convert-payment.ts'
import type { CollectionStats } from './nft-data.ts'

/** One point per quarter of an hour. */
export const POINT_MS = 900_000

type Figures = Omit<NftPoint, 'network_id' | 'address' | 'at' | 'sales_in_profit' | 'source' | 'fetched_at'>

/**
 * Converts the marketplace's figures to the collection's main currency. Floor and volume can have different
 * currencies. An amount whose symbol the collection does not list is null, never guessed.
 */
export function marketPoint(
  stats: CollectionStats,
  { collection, quotes }: { collection: KnownCollection; quotes: Quotes },
): Figures {
  const inMain = (amount: string | null, symbol: string | null): string | null =>
    inMainCurrency(amount, { symbol, collection, quotes })
  const volume = (amount: string | null | undefined) => inMain(amount ?? null, stats.volumeSymbol)
  const { one_day: day, seven_day: week, thirty_day: month } = stats.intervals
  const average = (part: typeof day) =>
    volume(part && (part.averagePrice ?? perSale(part.volume, part.sales)))
  return {
    floor_price: inMain(stats.floorPrice, stats.floorSymbol ?? stats.volumeSymbol),
    average_price: volume(stats.averagePrice ?? perSale(stats.volumeTotal, stats.salesTotal)),
    volume_total: volume(stats.volumeTotal),
    sales_total: stats.salesTotal,
    owners_count: stats.ownersCount,
    volume_1d: volume(day?.volume),
    volume_7d: volume(week?.volume),
    volume_30d: volume(month?.volume),
    average_price_1d: average(day),
    average_price_7d: average(week),
    average_price_30d: average(month),
    volume_change_1d: day?.volumeChange ?? null,
    volume_change_7d: week?.volumeChange ?? null,
    volume_change_30d: month?.volumeChange ?? null,
    sales_1d: day?.sales ?? null,
    sales_7d: week?.sales ?? null,
    sales_30d: month?.sales ?? null,
  }
}

/** Converts an amount of the coin with that symbol to the collection's main currency; null: unknown */
export function inMainCurrency(
  amount: string | null,
  options: { symbol: string | null; collection: KnownCollection; quotes: Quotes },
): string | null {
  const { symbol, collection, quotes } = options
  return amount === null
    ? null
    : convertAmount(amount, { from: coinOfSymbol(symbol, collection), to: collection.coinId, quotes })
}

/** The native coin, plain or wrapped, or a payment coin of the collection; null: unknown symbol */
function coinOfSymbol(symbol: string | null, collection: KnownCollection): string | null {
  if (symbol === null) return null
  const { nativeSymbol, nativeCoinId, currencies } = collection
  return symbol === nativeSymbol || symbol === `W${nativeSymbol}`
    ? nativeCoinId
    : (currencies[symbol] ?? null)
}

function perSale(volume: string, sales: string): string | null {
  return isZero(decimal(sales)) ? null : formatDecimal(divide(decimal(volume), decimal(sales)))
}
