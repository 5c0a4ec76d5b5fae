import { createHash } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import { pickNews } from '../../db/news/pick-news.ts'
import { readNamedCoins, readRecentNews, readValidators } from '../../db/news/read-for-ingest.ts'
import { readNewsSources } from '../../db/news/read-news-sources.ts'
import { readNewsAsOf, readNewsItem, readNewsPage, readTrendingPage } from '../../db/news/read-news.ts'
import { storeAnalysis } from '../../db/news/write-analysis.ts'
import { type NewsRow, storeNews } from '../../db/news/write-items.ts'
import { storeNewsSource, touchNewsSource } from '../../db/news/write-sources.ts'
import { storeTrending } from '../../db/news/write-trending.ts'
import { transact } from '../../db/transact.ts'
import { changedRows } from '../setup/changed-rows.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'
import { query } from '../setup/query.ts'

// Articles and feeds as they are stored, each beside others.

const database = await testDatabase()
const { db, pool, close } = openDb({ url: database.ownerUrl, maxConnections: 2, applicationName: 'test' })
const reader = openReadonlyDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
afterAll(() => Promise.all([close(), reader.close()]))
const at = (text: string) => new Date(`2026-03-${text}Z`)
const [NOW, LATER] = [at('10T00:00:00'), at('10T01:00:00')]
const idOf = (name: string) => createHash('sha256').update(name).digest('hex')

const article = (title: string, published_at: Date, told: Partial<NewsRow> = {}): NewsRow => ({
  id: idOf(title),
  source: 'one',
  link: `https://one.test/${title}`,
  title,
  summary: null,
  image_url: null,
  image_width: null,
  keywords: [],
  has_content: false,
  reactions: {},
  coin_ids: [],
  sentiment: 'neutral',
  sentiment_score: 0,
  analysis: 'v1',
  published_at,
  fetched_at: NOW,
  ...told,
})
const source = (name: string, told: object = {}) =>
  storeNewsSource(db, {
    source: name,
    name: name.toUpperCase(),
    webUrl: 'https://one.test',
    feedUrl: 'https://one.test/feed',
    imageUrl: `https://one.test/${name}.png`,
    etag: `etag of ${name}`,
    lastModified: null,
    fetchedAt: NOW,
    ...told,
  })
const store = (rows: NewsRow[], onlyNew = false) =>
  transact(pool, (transaction) => storeNews(transaction, rows, { onlyNew }))
const titles = async (list: 'latest' | 'bullish' | 'bearish' | 'handpicked', window: object = {}) =>
  (await readNewsPage(reader.db, { list, offset: 0, limit: 99, ...window })).map(({ title }) => title)

beforeEach(async () => {
  await query(database.ownerUrl, 'truncate news_sources, news_items, news_anchors, news_trending cascade')
  await source('two')
  await source('one')
  await store([
    article('first', at('01T00:00:00')),
    article('second', at('02T00:00:00'), { sentiment: 'bullish' }),
    article('third', at('03T00:00:00'), { sentiment: 'bearish' }),
  ])
})

const TABLES = { news_sources: 'source', news_items: 'title', news_trending: `'place ' || rank` }
const changed = async (work: () => Promise<unknown>) =>
  [...new Set(await changedRows(database, TABLES, work))].sort()

test('each list has its articles, newest first, from its start up to before its end', async () => {
  expect(await titles('latest')).toEqual(['third', 'second', 'first'])
  expect(await titles('bullish')).toEqual(['second'])
  expect(await titles('bearish')).toEqual(['third'])
  expect(await titles('handpicked')).toEqual([])
  const [from, to] = [at('02T00:00:00'), at('03T00:00:00')]
  expect(await titles('latest', { from })).toEqual(['third', 'second'])
  expect(await titles('latest', { to })).toEqual(['second', 'first'])
  expect(await titles('latest', { from, to, offset: 1 })).toEqual([])
})

test('a stored article gets the changes of its publisher but not its time; of a stand-in only new ones count', async () => {
  const renewed = [
    article('first', LATER, { summary: 'More.', sentiment: 'bearish', fetched_at: LATER }),
    article('fourth', at('04T00:00:00'), { fetched_at: LATER }),
  ]
  expect(await changed(async () => expect(await store(renewed, true)).toBe(1))).toEqual(['fourth'])
  expect(await changed(async () => expect(await store(renewed)).toBe(1))).toEqual(['first'])
  expect(await store(renewed)).toBe(0)
  expect(await titles('latest')).toEqual(['fourth', 'third', 'second', 'first'])
  expect(await titles('bearish')).toEqual(['third', 'first'])
  expect(await readNewsItem(reader.db, idOf('first'))).toMatchObject({ summary: 'More.' })
  expect(await readNewsItem(reader.db, idOf('nothing'))).toBeUndefined()
})

test('an article is picked and unpicked; an unknown one is not', async () => {
  const pick = (title: string, time: Date | null) =>
    transact(pool, (trx) => pickNews(trx, { id: idOf(title), at: time }))
  expect(await changed(async () => expect(await pick('second', NOW)).toBe(true))).toEqual(['second'])
  expect(await pick('nothing', NOW)).toBe(false)
  expect(await titles('handpicked')).toEqual(['second'])
  await pick('second', null)
  expect(await titles('handpicked')).toEqual([])
})

test('recent articles are those since an instant, of another analysis; a new analysis moves them between lists', async () => {
  const recent = async (since: Date, notBy?: string, limit = 9) =>
    (await readRecentNews(db, { since, limit, ...(notBy !== undefined && { notBy }) })).map(
      ({ title }) => title,
    )
  expect(await recent(at('02T00:00:00'))).toEqual(['third', 'second'])
  expect(await recent(at('01T00:00:00'), undefined, 1)).toEqual(['third'])
  expect(await recent(at('01T00:00:00'), 'v1')).toEqual([])
  const analyse = () =>
    transact(pool, (trx) =>
      storeAnalysis(trx, {
        analysis: 'v2',
        items: [
          {
            id: idOf('second'),
            coinIds: ['bitcoin'],
            sentiment: 'bearish',
            score: -0.5,
            previousSentiment: 'bullish',
            publishedAt: at('02T00:00:00'),
          },
        ],
      }),
    )
  expect(await changed(analyse)).toEqual(['second'])
  expect(await recent(at('01T00:00:00'), 'v1')).toEqual(['second'])
  expect(await recent(at('01T00:00:00'), 'v2')).toEqual(['third', 'first'])
  expect(await titles('bullish')).toEqual([])
  expect(await titles('bearish')).toEqual(['third', 'second'])
})

test('an article has its coins in their order, of those that are known', async () => {
  for (const [id, rank] of [
    ['alpha', 2],
    ['beta', 1],
    ['0xtoken', 3],
  ] as const)
    await insertCoin(db, { id, rank, at: NOW })
  await insertCoin(db, { id: 'gone', rank: 4, at: NOW, delistedAt: NOW })
  await store([article('coins', at('05T00:00:00'), { coin_ids: ['beta', 'unknown', 'alpha'] })])
  expect((await readNewsItem(reader.db, idOf('coins')))!.coins.map(({ id }) => id)).toEqual(['beta', 'alpha'])
  expect((await readNamedCoins(db)).map(({ id }) => id)).toEqual(['beta', 'alpha'])
})

test('the trending list is replaced as a whole and read in pages', async () => {
  const items = ['second', 'third', 'first'].map((title, index) => ({
    newsId: idOf(title),
    score: 3 - index,
  }))
  const replace = (given: typeof items) =>
    transact(pool, (trx) => storeTrending(trx, { items: given, fetchedAt: NOW }))
  await replace(items)
  const page = async (offset: number, limit: number) =>
    (await readTrendingPage(reader.db, { offset, limit })).map(({ title }) => title)
  expect(await page(0, 2)).toEqual(['second', 'third'])
  expect(await page(1, 1)).toEqual(['third'])
  expect(await page(2, 9)).toEqual(['first'])
  expect(await changed(() => replace(items.slice(0, 1)))).toEqual(['place 2', 'place 3'])
})

test('a feed keeps its picture and its start, and has its own validators, times and failures', async () => {
  expect(await changed(() => touchNewsSource(db, { source: 'one', fetchedAt: LATER }))).toEqual(['one'])
  expect(await readNewsAsOf(reader.db)).toEqual(LATER)
  await source('one', { imageUrl: null, etag: null, lastModified: 'today', fetchedAt: LATER })
  expect(await readValidators(db, 'one')).toEqual({ etag: null, lastModified: 'today' })
  expect(await readValidators(db, 'two')).toEqual({ etag: 'etag of two', lastModified: null })
  expect(await readValidators(db, 'three')).toEqual({ etag: null, lastModified: null })
  await query(
    database.ownerUrl,
    `insert into source_states (source, consecutive_failures) values ('two', 4), ('three', 5)
     on conflict (source) do update set consecutive_failures = excluded.consecutive_failures`,
  )
  const feeds = await readNewsSources(reader.db)
  expect(feeds.map(({ source: name, consecutive_failures: failures }) => [name, failures])).toEqual([
    ['one', 0],
    ['two', 4],
  ])
  expect(feeds[0]).toMatchObject({
    image_url: 'https://one.test/one.png',
    created_at: NOW,
    fetched_at: LATER,
  })
})
