import { z } from 'zod'
import { batchesOf } from '../../../db/values/batches.ts'
import { POINTS_PER_CHART } from '../../../db/values/price-charts.ts'
import { networkOfBlockchain } from '../../../db/values/networks.ts'
import { decimalField, secondsField } from '../../fields.ts'
import type { HttpClient } from '../../http-client.ts'
import { parseRows, type QuarantinedRow } from '../../parse-rows.ts'
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
  /** 0 to 1: how much the source trusts the price; null: it does not say */
  confidence: number | null
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

/** Keys of one call: the length of the URL is the limit. */
export const KEYS_PER_CALL = 50
const STEPS = { hour: { seconds: 3_600, period: '1h' }, day: { seconds: 86_400, period: '1d' } } as const
/** A sample may be this far from the instant that was asked for, before or after it. */
const SAMPLE_MS = 600_000
/** A coin by its contract, or by CoinGecko's id. */
export type LlamaKey = { blockchain: string; address: string } | { alias: string }

/** The price of a coin that is asked for by CoinGecko's id. */
export interface AliasPrice {
  priceUsd: string
  at: Date
}

/** Coins have contracts on networks without wallets too: those have the same name at DefiLlama in most cases. */
const chainOf = (blockchain: string): string => networkOfBlockchain(blockchain)?.names.defillama ?? blockchain

/** Client of DefiLlama's coins API. Its answers omit unknown tokens. */
export function createDefiLlama({ http, url }: { http: HttpClient; url: string }) {
  const keyOf = (key: LlamaKey): string =>
    'alias' in key ? `coingecko:${key.alias}` : `${chainOf(key.blockchain)}:${key.address}`

  /** Answers of any number of keys, in calls of fifty. Unknown ones are absent. */
  async function* eachBatch<K extends LlamaKey>(keys: readonly K[]) {
    for (const batch of batchesOf(keys, KEYS_PER_CALL)) {
      const { coins } = await http.fetchJson({
        source: DEFILLAMA,
        url: `${url}/prices/current/${encodeURI(batch.map(keyOf).join(','))}`,
        schema: current,
      })
      for (const key of batch) {
        const payload = coins[keyOf(key)]
        if (payload !== undefined) yield { key, ...parseRows(price, [payload]) }
      }
    }
  }

  async function currentPrices(tokens: readonly { blockchain: string; address: string }[]) {
    const found: TokenPrice[] = []
    const quarantined: QuarantinedRow[] = []
    for await (const { key, ...parsed } of eachBatch(tokens)) {
      quarantined.push(...parsed.quarantined)
      for (const row of parsed.rows)
        found.push({
          ...key,
          symbol: row.symbol,
          decimals: row.decimals ?? null,
          priceUsd: row.price,
          at: row.timestamp,
          confidence: row.confidence ?? null,
        })
    }
    return { found, quarantined }
  }

  /** Prices by CoinGecko's ids. */
  async function pricesByAlias(aliases: readonly string[]) {
    const found = new Map<string, AliasPrice>()
    const quarantined: QuarantinedRow[] = []
    for await (const { key, ...parsed } of eachBatch(aliases.map((alias) => ({ alias })))) {
      quarantined.push(...parsed.quarantined)
      for (const row of parsed.rows) found.set(key.alias, { priceUsd: row.price, at: row.timestamp })
    }
    return { found, quarantined }
  }

  /**
   * Points of one coin at the full hours or UTC midnights of a window, in as many calls as needed. A point is
   * dated at the instant that was asked for: its sample may be minutes before or after it.
   */
  async function history(range: {
    key: LlamaKey
    resolution: keyof typeof STEPS
    fromMs: number
    toMs: number
  }): Promise<PricePoint[]> {
    const key = keyOf(range.key)
    const { seconds: step, period } = STEPS[range.resolution]
    const points: PricePoint[] = []
    const end = Math.floor(range.toMs / 1000)
    const from = Math.ceil(range.fromMs / 1000 / step) * step
    for (let start = from; start <= end; start += POINTS_PER_CHART * step) {
      const span = Math.min(POINTS_PER_CHART, Math.floor((end - start) / step) + 1)
      const answer = await http.fetchJson({
        source: DEFILLAMA,
        url: `${url}/chart/${encodeURI(key)}?start=${start}&span=${span}&period=${period}&searchWidth=${SAMPLE_MS / 1000}`,
        schema: chart,
      })
      for (const row of parseRows(point, answer.coins[key]?.prices ?? []).rows) {
        const sampleMs = row.timestamp.getTime()
        const atMs = Math.round(sampleMs / 1000 / step) * step * 1000
        if (Math.abs(sampleMs - atMs) <= SAMPLE_MS) points.push({ atMs, usd: row.price })
      }
    }
    return points
  }

  return { currentPrices, pricesByAlias, history }
}

export type DefiLlama = ReturnType<typeof createDefiLlama>
