import { z } from 'zod'
import { decimal, divide, formatDecimal } from '../../../db/values/decimal.ts'
import { decimalField, isoField } from '../../fields.ts'
import type { HttpClient } from '../../http-client.ts'
import { parseRows, type QuarantinedRow } from '../../parse-rows.ts'
import { orNull } from '../or-null.ts'
import { sortLevels } from '../sort-levels.ts'
import type { MarketRef, OrderBook, PricePoint, TradePage, VenuePage } from '../venue-data.ts'
import { probabilityField } from '../venue-fields.ts'
import { readLimitlessRows } from './limitless-market.ts'

export const LIMITLESS = 'limitless'
/** More are refused. */
export const MARKETS_PAGE = 25
const TRADES_PAGE = 100
/** Shares have the six places of USDC. */
const UNIT = decimal('1000000')

const list = z
  .array(z.unknown())
  .nullish()
  .transform((rows) => rows ?? [])
const shares = decimalField.transform((raw) => formatDecimal(divide(decimal(raw), UNIT)))

const tradeRow = z.object({
  createdAt: isoField,
  matchedSize: shares,
  price: probabilityField,
  side: z.union([z.literal(0), z.literal(1)]),
  tokenId: z.string().regex(/^\d+$/),
  txHash: z.string().regex(/^0x[0-9a-fA-F]{64}$/),
  makerAmount: z.string().nullish(),
  takerAmount: z.string().nullish(),
  profile: z.object({ account: z.string().nullish() }).nullish(),
})
const level = z.object({ price: probabilityField, size: shares })
const bookAnswer = z.object({ bids: z.array(level), asks: z.array(level) })
const pointRow = z.object({
  // Milliseconds, or ISO 8601.
  timestamp: z
    .union([z.number(), z.string()])
    .transform((value) => new Date(/^\d+$/.test(String(value)) ? Number(value) : value))
    .refine((at) => at.getTime() > 0),
  price: probabilityField,
})
/** Points in one of two shapes. */
const historyAnswer = z
  .object({ data: list.optional(), prices: list.optional() })
  .transform(({ data, prices }) => [...(data ?? []), ...(prices ?? [])])

/** The public part of Limitless' API (docs.limitless.exchange). Sizes are in base units of USDC. */
export function createLimitless({ http, url, now }: { http: HttpClient; url: string; now: () => Date }) {
  const get = <T>(path: string, schema: z.ZodType<T>): Promise<T> =>
    http.fetchJson({
      source: LIMITLESS,
      url: url + path,
      schema,
      operation: path.replaceAll(/\?.*|(?<=^\/markets\/)(?!active)[^/?]+/g, ''),
    })
  const pathOf = ({ venueMarketId }: Pick<MarketRef, 'venueMarketId'>) =>
    `/markets/${encodeURIComponent(venueMarketId)}`

  return {
    /** One page of the markets and groups that trade. `cursor`: the number of the page */
    async activeMarkets({ cursor }: { cursor: string | null }): Promise<VenuePage> {
      const page = Number(cursor ?? 1)
      const { data } = await get(
        `/markets/active?page=${page}&limit=${MARKETS_PAGE}&sortBy=newest`,
        z.object({ data: list }),
      )
      return { ...readLimitlessRows(data), next: data.length < MARKETS_PAGE ? null : String(page + 1) }
    },

    /** Markets by name, whether they trade or not. The venue does not know those that it has removed. */
    async markets(markets: readonly Pick<MarketRef, 'venueMarketId'>[]): Promise<VenuePage> {
      const rows: unknown[] = []
      for (const market of markets) {
        const row = await orNull(get(pathOf(market), z.unknown()))
        if (row !== null) rows.push(row)
      }
      return { ...readLimitlessRows(rows), next: null }
    },

    /** One page of fills of both outcomes, newest first. `cursor`: the number of the page */
    async trades({ market, cursor }: { market: MarketRef; cursor: string | null }): Promise<TradePage> {
      const page = Number(cursor ?? 1)
      const answer = await get(
        `${pathOf(market)}/events?page=${page}&limit=${TRADES_PAGE}`,
        z.object({ events: list, totalPages: z.int().nullish() }),
      )
      const ofMarket = tradeRow.refine(({ tokenId }) => market.outcomeIds.includes(tokenId), 'another token')
      const { rows, quarantined } = parseRows(ofMarket, answer.events)
      const isLast = answer.events.length === 0 || page >= (answer.totalPages ?? page)
      return {
        trades: rows.map((row) => ({
          key: `limitless ${[row.txHash, row.tokenId, row.profile?.account, row.makerAmount, row.takerAmount].join(' ')}`,
          at: row.createdAt,
          outcome: market.outcomeIds.indexOf(row.tokenId),
          side: row.side === 0 ? ('buy' as const) : ('sell' as const),
          price: row.price,
          size: row.matchedSize,
          trader: null,
          txHash: row.txHash.toLowerCase(),
          isBlock: false,
        })),
        quarantined,
        next: isLast ? null : String(page + 1),
      }
    },

    /** The order book of `yes`. null: the market trades against a pool, without a book */
    async orderBook(market: MarketRef): Promise<OrderBook | null> {
      const answer = await orNull(get(`${pathOf(market)}/orderbook`, bookAnswer), [400, 404])
      return answer && { ...sortLevels(answer), tickSize: null, at: now() }
    },

    /** Prices of `yes` by the hour. */
    async history(options: {
      market: MarketRef
      fromMs: number
      toMs: number
    }): Promise<{ points: PricePoint[]; quarantined: QuarantinedRow[] }> {
      const { market, fromMs, toMs } = options
      const query = new URLSearchParams({
        from: new Date(fromMs).toISOString(),
        to: new Date(toMs).toISOString(),
        interval: '1h',
      })
      const given = await get(`${pathOf(market)}/historical-price?${query.toString()}`, historyAnswer)
      const { rows, quarantined } = parseRows(pointRow, given)
      const points = rows.map(({ timestamp, price }) => ({ at: timestamp, price }))
      return {
        points: points.filter(({ at }) => at.getTime() >= fromMs && at.getTime() <= toMs),
        quarantined,
      }
    },
  }
}
