import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import { pickNews } from '../../db/news/pick-news.ts'
import { NEWS_LIST_NAMES, type NewsList } from '../../db/news/lists.ts'
import { readNewsPage } from '../../db/news/read-news.ts'
import type { Sentiment } from '../../db/news/tables.ts'
import { type NewsRow, storeNews } from '../../db/news/write-items.ts'
import { storeNewsSource } from '../../db/news/write-sources.ts'
import { transact } from '../../db/transact.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

/** Pages that are read from an anchor equal pages read by counting, whatever happened to the articles. */

const database = await testDatabase()
const ingest = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const reads = openReadonlyDb({ url: database.apiUrl, maxConnections: 2, applicationName: 'test' })
afterAll(() => Promise.all([ingest.close(), reads.close()]))

const START = Date.UTC(2026, 0, 1)
const at = (minute: number) => new Date(START + minute * 60_000)

function row(n: number, minute: number, sentiment: Sentiment = 'neutral'): NewsRow {
  const id = createHash('sha256').update(String(n)).digest('hex')
  return {
    id,
    source: 'wire',
    link: `https://wire.example/${n}`,
    title: `Article ${n}`,
    summary: null,
    image_url: null,
    image_width: null,
    keywords: [],
    has_content: false,
    reactions: {},
    coin_ids: [],
    sentiment,
    sentiment_score: 0,
    analysis: 'a',
    published_at: at(minute),
    fetched_at: at(minute),
  }
}

const store = (rows: NewsRow[]) => transact(ingest.pool, (transaction) => storeNews(transaction, rows))

beforeEach(async () => {
  await query(database.ownerUrl, 'truncate news_items, news_sources, news_anchors cascade')
  const described = { name: 'Wire', webUrl: 'https://wire.example', feedUrl: 'https://wire.example/rss' }
  await storeNewsSource(ingest.db, {
    source: 'wire',
    ...described,
    imageUrl: null,
    etag: null,
    lastModified: null,
    fetchedAt: at(0),
  })
})

const CONDITIONS: Record<NewsList, string> = {
  latest: 'true',
  bullish: `sentiment = 'bullish'`,
  bearish: `sentiment = 'bearish'`,
  handpicked: 'picked_at is not null',
}

async function expectSamePages(): Promise<void> {
  for (const list of NEWS_LIST_NAMES) {
    const all = await query<{ id: string; published_at: Date }>(
      database.ownerUrl,
      `select id, published_at from news_items where ${CONDITIONS[list]} order by published_at desc, id desc`,
    )
    const windows = [{}, { from: at(40), to: at(260) }, { to: at(150) }, { from: at(9_999) }, { to: at(-1) }]
    for (const { from, to } of windows as { from?: Date; to?: Date }[]) {
      const inside = all.filter(
        (one) => (!from || one.published_at >= from) && (!to || one.published_at < to),
      )
      for (const offset of [0, 1, 24, 25, 26, 100, 230, inside.length - 1, inside.length, 1e12]) {
        if (offset < 0) continue
        const page = await readNewsPage(reads.db, { list, offset, limit: 7, from, to })
        expect({ list, offset, from, to, ids: page.map(({ id }) => id) }).toEqual({
          list,
          offset,
          from,
          to,
          ids: inside.slice(offset, offset + 7).map(({ id }) => id),
        })
      }
    }
  }
}

test('pages are right after articles arrived late, changed tone, and were picked and unpicked', async () => {
  const sentiments = fc.constantFrom<Sentiment>('bullish', 'bearish', 'neutral')
  const batch = fc.array(fc.record({ n: fc.nat(400), minute: fc.nat(300), sentiment: sentiments }), {
    minLength: 1,
    maxLength: 120,
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(batch, { minLength: 2, maxLength: 4 }),
      fc.array(fc.nat(400)),
      async (batches, picked) => {
        await query(database.ownerUrl, 'truncate news_items, news_anchors cascade')
        for (const articles of batches) {
          const rows = articles.map(({ n, minute, sentiment }) => row(n, minute, sentiment))
          await store([...new Map(rows.map((one) => [one.id, one])).values()])
        }
        for (const [i, n] of picked.entries())
          await transact(ingest.pool, (transaction) =>
            pickNews(transaction, { id: row(n, 0).id, at: i % 3 === 0 ? null : at(i) }),
          )
        await expectSamePages()
      },
    ),
    { numRuns: 6 },
  )
})

test('pages are right after feeds were stored concurrently', async () => {
  await Promise.all(
    Array.from({ length: 4 }, (_, feed) =>
      store(
        Array.from({ length: 130 }, (_, i) =>
          row(feed * 1_000 + i, i * 2 + feed, i % 2 ? 'bullish' : 'bearish'),
        ),
      ),
    ),
  )
  await expectSamePages()
})
