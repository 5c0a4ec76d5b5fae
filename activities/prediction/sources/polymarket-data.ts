import { z } from 'zod'
import { positiveField } from '../../fields.ts'
import type { HttpClient } from '../../http-client.ts'
import { parseRows } from '../../parse-rows.ts'
import type { HolderRow, MarketRef } from '../venue-data.ts'
import { optionalDecimal, textField } from '../venue-fields.ts'
import { addressField } from './polymarket-fills.ts'
import { polymarketTrades } from './polymarket-trades.ts'

export const POLYMARKET_DATA = 'polymarket-data'
const HOLDERS = 20
const person = { name: textField, pseudonym: textField, profileImage: textField }

const holderList = z.object({
  token: z.string(),
  holders: z
    .array(z.unknown())
    .nullish()
    .transform((list) => list ?? []),
})
const holderRow = z.object({ ...person, proxyWallet: addressField, amount: positiveField })
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

/** Polymarket's Data API: fills of makers and takers, holders, open interest. */
export function createPolymarketData(options: { http: HttpClient; url: string; now: () => Date }) {
  const { http, url, now } = options
  const get = <T>(path: string, schema: z.ZodType<T>): Promise<T> =>
    http.fetchJson({ source: POLYMARKET_DATA, url: url + path, schema })

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

  return { trades: polymarketTrades({ get, now }), holders, openInterest }
}
