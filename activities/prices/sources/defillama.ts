import { z } from 'zod'
import { decimalField, secondsField } from '../../fields.ts'
import type { HttpClient } from '../../http-client.ts'
import { parseRows } from '../../parse-rows.ts'
import type { PricePoint } from '../market-data.ts'

export const DEFILLAMA = 'defillama'

/** The price of a token, identified by its contract. */
export interface TokenPrice {
  blockchain: string
  address: string
  symbol: string
  decimals: number | null
  priceUsd: string
  at: Date
  /** 0 to 1: how much the source trusts the price */
  confidence: number
}

const price = z.object({
  symbol: z.string().min(1).max(200),
  decimals: z.int().min(0).max(255).optional(),
  price: decimalField.refine((usd) => !/^(-|0$)/.test(usd), 'price is not above zero'),
  timestamp: secondsField,
  confidence: z.number().optional(),
})
const point = z.object({
  timestamp: secondsField,
  price: decimalField.refine((usd) => !/^(-|0$)/.test(usd), 'price is not above zero'),
})
const current = z.object({ coins: z.record(z.string(), z.unknown()) })
const chart = z.object({ coins: z.record(z.string(), z.object({ prices: z.array(z.unknown()) })) })

/** DefiLlama's network names, where they differ from ours. */
const CHAINS: Record<string, string> = {
  'arbitrum-one': 'arbitrum',
  'polygon-pos': 'polygon',
  avalanche: 'avax',
  binance_smart: 'bsc',
  hyperevm: 'hyperliquid',
}

const STEP_SECONDS = 3600
/** Points of one chart call. */
const SPAN = 500
/** Widest window of one chart call. */
export const WIDEST_CHART_MS = SPAN * STEP_SECONDS * 1_000

/** Client of DefiLlama's coins API. Its answers omit unknown tokens. */
export function createDefiLlama({ http, url }: { http: HttpClient; url: string }) {
  const keyOf = (token: { blockchain: string; address: string }): string =>
    `${CHAINS[token.blockchain] ?? token.blockchain}:${token.address}`

  async function currentPrices(tokens: readonly { blockchain: string; address: string }[]) {
    const found: TokenPrice[] = []
    const quarantined: { reason: string; payload: unknown }[] = []
    for (let i = 0; i < tokens.length; i += 50) {
      const batch = tokens.slice(i, i + 50)
      const keys = batch.map(keyOf).join(',')
      const answer = await http.fetchJson({
        source: DEFILLAMA,
        url: `${url}/prices/current/${encodeURI(keys)}`,
        schema: current,
      })
      for (const token of batch) {
        const payload = answer.coins[keyOf(token)]
        if (payload === undefined) continue
        const parsed = parseRows(price, [payload])
        quarantined.push(...parsed.quarantined)
        for (const row of parsed.rows) {
          found.push({
            ...token,
            symbol: row.symbol,
            decimals: row.decimals ?? null,
            priceUsd: row.price,
            at: row.timestamp,
            confidence: row.confidence ?? 0,
          })
        }
      }
    }
    return { found, quarantined }
  }

  /**
   * Points of one token at the full hours of a window, in as many calls as needed. Asks for exact hours:
   * samples are minutes apart, so a request for a second before the hour may return the sample before it.
   */
  async function history(range: {
    token: { blockchain: string; address: string }
    fromMs: number
    toMs: number
  }): Promise<PricePoint[]> {
    const key = keyOf(range.token)
    const points: PricePoint[] = []
    const end = Math.floor(range.toMs / 1000)
    const from = Math.ceil(range.fromMs / 1000 / STEP_SECONDS) * STEP_SECONDS
    for (let start = from; start <= end; start += SPAN * STEP_SECONDS) {
      const span = Math.min(SPAN, Math.floor((end - start) / STEP_SECONDS) + 1)
      const answer = await http.fetchJson({
        source: DEFILLAMA,
        url: `${url}/chart/${encodeURI(key)}?start=${start}&span=${span}&period=1h`,
        schema: chart,
      })
      for (const row of parseRows(point, answer.coins[key]?.prices ?? []).rows)
        points.push({ atMs: row.timestamp.getTime(), usd: row.price })
    }
    return points
  }

  return { currentPrices, history }
}

export type DefiLlama = ReturnType<typeof createDefiLlama>
