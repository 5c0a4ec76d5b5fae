import { z } from 'zod'
import { decimalField, secondsField } from '../../fields.ts'
import type { HttpClient } from '../../http-client.ts'
import { parseRows } from '../../parse-rows.ts'
import type { HolderRow, MarketRef, TradePage, TradeRow } from '../venue-data.ts'
import { optionalDecimal, probabilityField, textField } from '../venue-fields.ts'

export const POLYMARKET_DATA = 'polymarket-data'
const PAGE_SIZE = 500
/** The highest offset. */
const LAST_OFFSET = 10_000
const HOLDERS = 20

const positive = decimalField.refine((value) => !/^(-|0$)/.test(value), 'not above zero')
const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => text.toLowerCase())
const person = { name: textField, pseudonym: textField, profileImage: textField }

const tradeRow = z.object({
  ...person,
  proxyWallet: address,
  side: z.enum(['BUY', 'SELL']),
  asset: z.string().min(1),
  size: positive,
  price: probabilityField,
  timestamp: secondsField,
  transactionHash: z.string().min(1).max(100),
})
type Fill = z.infer<typeof tradeRow>

const holderList = z.object({
  token: z.string(),
  holders: z
    .array(z.unknown())
    .nullish()
    .transform((list) => list ?? []),
})
const holderRow = z.object({ ...person, proxyWallet: address, amount: positive })
const interestRow = z.object({ market: z.string(), value: optionalDecimal })

const traderOf = (row: {
  proxyWallet: string
  name: string | null
  pseudonym: string | null
  profileImage: string | null
}) => ({
  address: row.proxyWallet,
  name: row.name ?? row.pseudonym,
  avatarUrl: row.profileImage,
})

/** Polymarket's Data API: fills of makers and takers, holders, open interest. Newest first, by offset. */
export function createPolymarketData({ http, url }: { http: HttpClient; url: string }) {
  const get = <T>(path: string, schema: z.ZodType<T>): Promise<T> =>
    http.fetchJson({ source: POLYMARKET_DATA, url: url + path, schema })

  /**
   * Fills of a market from an offset on. A page ends between two seconds, so that fills with equal fields are
   * on one page and each gets its ordinal.
   */
  async function trades({
    market,
    cursor,
  }: {
    market: MarketRef
    cursor: string | null
  }): Promise<TradePage> {
    const offset = Number(cursor ?? 0)
    const query = `market=${market.conditionId}&limit=${PAGE_SIZE}&offset=${offset}&takerOnly=false`
    const sent = await get(`/trades?${query.toString()}`, z.array(z.unknown()))
    const last = sent.length < PAGE_SIZE || offset + PAGE_SIZE > LAST_OFFSET
    const whole = last ? sent.length : endOfSeconds(sent)
    const { rows, quarantined } = parseRows(tradeRow, sent.slice(0, whole))
    const outcomes = new Map(market.outcomeIds.map((token, position) => [token, position]))
    const seen = new Map<string, number>()
    const page: TradePage = { trades: [], quarantined, next: last ? null : String(offset + whole) }
    for (const row of rows) {
      const outcome = outcomes.get(row.asset)
      if (outcome === undefined) quarantined.push({ reason: 'asset: no outcome of its market', payload: row })
      else page.trades.push(toTrade(row, outcome, seen))
    }
    return page
  }

  /** The largest holders of each outcome. */
  async function holders(market: MarketRef): Promise<HolderRow[]> {
    const query = `market=${market.conditionId}&limit=${HOLDERS}`
    const lists = await get(`/holders?${query.toString()}`, z.array(holderList))
    return lists.flatMap(({ token, holders: list }) => {
      const outcome = market.outcomeIds.indexOf(token)
      const { rows } = parseRows(holderRow, list)
      return outcome < 0 ? [] : rows.map((row) => ({ outcome, shares: row.amount, trader: traderOf(row) }))
    })
  }

  /** USD by condition id. */
  async function openInterest(conditionIds: readonly string[]): Promise<Map<string, string>> {
    const rows = await get(`/oi?market=${conditionIds.join(',')}`, z.array(z.unknown()))
    return new Map(
      parseRows(interestRow, rows).rows.map(({ market, value }) => [market.toLowerCase(), value ?? '0']),
    )
  }

  return { trades, holders, openInterest }
}

/** Number of rows of a full page before its last second; all rows when they are of the same second. */
function endOfSeconds(rows: readonly unknown[]): number {
  const secondOf = (row: unknown) => (row as { timestamp?: unknown } | null)?.timestamp
  const last = secondOf(rows.at(-1))
  const cut = rows.findIndex((row) => secondOf(row) === last)
  return cut > 0 ? cut : rows.length
}

function toTrade(row: Fill, outcome: number, seen: Map<string, number>): TradeRow {
  const { transactionHash, asset, proxyWallet, side, size, price } = row
  const fields = [transactionHash, asset, proxyWallet, side, size, price].join(' ')
  const ordinal = seen.get(fields) ?? 0
  seen.set(fields, ordinal + 1)
  return {
    key: `polymarket ${fields} ${ordinal}`,
    at: row.timestamp,
    outcome,
    side: side === 'BUY' ? 'buy' : 'sell',
    price,
    size,
    trader: traderOf(row),
    txHash: transactionHash,
  }
}
