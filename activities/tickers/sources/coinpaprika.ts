import { z } from 'zod'
import { createCoinPaprikaGet } from '../../coinpaprika.ts'
import { decimalField } from '../../fields.ts'
import type { HttpClient } from '../../http-client.ts'
import { parseRows } from '../../parse-rows.ts'
import type { ExchangeList, ExchangeRow } from '../exchange-data.ts'

const volume = decimalField
  .refine((value) => !value.startsWith('-'), 'below zero')
  .nullish()
  .transform((value) => value ?? null)

const exchangeRow = z
  .object({
    id: z.string().min(1).max(200),
    name: z.string().min(1).max(200),
    active: z.boolean(),
    links: z.object({ website: z.array(z.string()).nullish() }).nullish(),
    quotes: z
      .object({
        USD: z.object({
          adjusted_volume_24h: volume,
          adjusted_volume_7d: volume,
          adjusted_volume_30d: volume,
        }),
      })
      .nullish(),
  })
  .transform((row): ExchangeRow => ({
    upstreamId: row.id,
    name: row.name,
    icon: null,
    url: row.links?.website?.[0] || null,
    // A closed exchange keeps its last volume for ever.
    volume24h: row.active ? (row.quotes?.USD.adjusted_volume_24h ?? null) : null,
    volume7d: row.quotes?.USD.adjusted_volume_7d ?? null,
    volume30d: row.quotes?.USD.adjusted_volume_30d ?? null,
    currency: 'USD',
  }))

/**
 * Client of the exchanges in CoinPaprika's API v1: one call. Volumes leave out markets that it considers
 * fake.
 */
export function createCoinPaprika(options: { http: HttpClient; url: string; key: string | null }) {
  const get = createCoinPaprikaGet(options)

  async function exchanges(): Promise<ExchangeList> {
    const rows = await get('/exchanges?quotes=USD', z.array(z.unknown()))
    return parseRows(exchangeRow, rows)
  }

  return { exchanges }
}

export type CoinPaprika = ReturnType<typeof createCoinPaprika>
