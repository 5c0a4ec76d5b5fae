import { z } from 'zod'
import { readNewsSources, type ServedNewsSource } from '../../db/news/read-news-sources.ts'
import { defineRoute } from '../route.ts'

const HEALTH = ['ok', 'failing', 'stale'] as const

export const getNewsSources = defineRoute({
  method: 'GET',
  path: '/news/sources',
  tag: 'News',
  summary: 'News sources with their health',
  response: z.array(
    z.object({
      sourcename: z.string(),
      weburl: z.string(),
      feedurl: z.string(),
      _created_at: z.iso.datetime(),
      _updated_at: z.iso.datetime().describe('Time of the last answer of the feed'),
      sourceImg: z.string().optional(),
      health: z
        .enum(HEALTH)
        .describe('`failing`: the last attempt failed; `stale`: no answer for over an hour'),
    }),
  ),
  credits: 2,
  plan: 'any',
  x402: '0.001',
  async handler(_input, { db, now }) {
    const rows = await readNewsSources(db)
    const newest = Math.max(...rows.map((row) => row.fetched_at.getTime()))
    return {
      body: rows.map((row) => ({
        sourcename: row.name,
        weburl: row.web_url,
        feedurl: row.feed_url,
        _created_at: row.created_at.toISOString(),
        _updated_at: row.fetched_at.toISOString(),
        ...(row.image_url !== null && { sourceImg: row.image_url }),
        health: healthOf(row, now()),
      })),
      asOf: rows.length > 0 ? new Date(newest) : null,
    }
  },
})

const STALE_MS = 3_600_000

function healthOf(row: ServedNewsSource, now: Date): (typeof HEALTH)[number] {
  if (now.getTime() - row.fetched_at.getTime() > STALE_MS) return 'stale'
  return row.consecutive_failures > 0 ? 'failing' : 'ok'
}
