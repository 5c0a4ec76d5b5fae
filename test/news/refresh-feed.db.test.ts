import { beforeEach, expect, test } from 'vitest'
import { reanalyseNews } from '../../activities/news/reanalyse-news.ts'
import { refreshFeed } from '../../activities/news/refresh-feed.ts'
import { refreshTrending } from '../../activities/news/refresh-trending.ts'
import { openDb } from '../../db/connect.ts'
import type { NewsRow } from '../../db/news/write-items.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'
import { query } from '../setup/query.ts'
import { whileUncommitted } from '../setup/while-uncommitted.ts'
import { startNewsWorld } from './news-world.ts'

const database = await testDatabase()
const world = await startNewsWorld(database, Date.parse('2026-11-20T14:20:00Z'))
const { deps, clock, asked, bodies, faults } = world

const items = (where = 'true') =>
  query<NewsRow>(
    database.ownerUrl,
    `select * from news_items where ${where} order by published_at desc, id desc`,
  )
const versions = (table: string) =>
  query(database.ownerUrl, `select xmin::text, ctid::text from ${table} order by ctid`)
const feed = (...inner: string[]) =>
  `<rss><channel><link>https://decrypt.example/</link>${inner.join('')}</channel></rss>`
const item = (path: string, title: string, inner = '') =>
  `<item><title>${title}</title><link>https://decrypt.example/${path}</link>${inner}</item>`

beforeEach(async () => {
  faults.clear()
  bodies.clear()
  asked.length = 0
  await query(database.ownerUrl, 'truncate news_items, news_sources, news_anchors, quarantine cascade')
  await query(
    database.ownerUrl,
    `update source_states set consecutive_failures = 0, next_request_at = '-infinity'`,
  )
})

test('reads the whole window of every simulated feed, with all fields and nothing quarantined', async () => {
  const counts: Record<string, number> = {}
  for (const source of world.feeds) {
    const { read, changed, quarantined } = await refreshFeed(deps, { source })
    expect({ source, changed, quarantined }).toEqual({ source, changed: read, quarantined: 0 })
    counts[source] = read
  }
  expect(counts).toEqual({
    coindesk: 25,
    cointelegraph: 30,
    decrypt: 40,
    theblock: 20,
    bitcoinmagazine: 20,
    thedefiant: 50,
    cryptoslate: 10,
    cryptonews: 50,
    beincrypto: 30,
  })
  const all = await items()
  expect(all).toHaveLength(275)
  for (const row of all) {
    expect(row.link).toMatch(/^https:\/\/\w+\.example\/[^?#]+$/)
    expect(`${row.title} ${row.summary}`).not.toMatch(/[<>]|&\w+;/)
    expect(row.published_at.getTime()).toBeLessThanOrEqual(clock.nowMs)
  }
  const withImage = ['coindesk', 'cointelegraph', 'decrypt', 'theblock', 'bitcoinmagazine']
  expect(all.filter((row) => withImage.includes(row.source)).every((row) => row.image_url !== null)).toBe(
    true,
  )
  expect(all.find((row) => row.source === 'cryptonews')).toMatchObject({
    has_content: true,
    image_width: 1024,
  })
  expect(all.some((row) => row.reactions['comments']! > 0)).toBe(true)
  // Quiet feeds reach back some weeks.
  const oldest = all.at(-1)!.published_at.getTime()
  expect(clock.nowMs - oldest).toBeGreaterThan(14 * 86_400_000)
  expect(new Set(all.map((row) => row.sentiment))).toEqual(new Set(['bullish', 'bearish', 'neutral']))
})

test('requests an unchanged feed conditionally and changes no row; a new article adds one row', async () => {
  await refreshFeed(deps, { source: 'cointelegraph' })
  const before = await versions('news_items')
  clock.nowMs += 1_000
  expect(await refreshFeed(deps, { source: 'cointelegraph' })).toEqual({
    read: 0,
    changed: 0,
    quarantined: 0,
  })
  expect(asked.map(({ status }) => status)).toEqual([200, 304])
  expect(asked[1]!.headers).toMatchObject({
    'if-none-match': expect.stringMatching(/^W\//),
    'if-modified-since': expect.stringMatching(/GMT$/),
    'user-agent': expect.stringContaining('Sluice'),
    accept: expect.stringContaining('application/rss+xml'),
  })
  expect(await versions('news_items')).toEqual(before)
  // The tracking parameters change every hour, but known articles stay the same.
  clock.nowMs += 4 * 3_600_000
  const { read, changed } = await refreshFeed(deps, { source: 'cointelegraph' })
  expect(read).toBe(30)
  expect(changed).toBeGreaterThan(0)
  expect(changed).toBeLessThan(15)
  expect(await items()).toHaveLength(30 + changed)
})

test('reading the same feed without validators changes no row', async () => {
  await refreshFeed(deps, { source: 'thedefiant' })
  const before = await versions('news_items')
  await query(database.ownerUrl, 'update news_sources set etag = null, last_modified = null')
  expect(await refreshFeed(deps, { source: 'thedefiant' })).toMatchObject({ read: 50, changed: 0 })
  expect(await versions('news_items')).toEqual(before)
})

test('a changed title updates the article but not its time; an article without a date keeps its first read time', async () => {
  bodies.set(
    'decrypt',
    feed(
      item('a', 'Bitcoin soars', '<pubDate>Fri, 20 Nov 2026 10:00:00 GMT</pubDate>'),
      item('b', 'Undated'),
    ),
  )
  clock.nowMs = Date.parse('2026-11-21T10:00:00Z')
  await refreshFeed(deps, { source: 'decrypt' })
  const first = await items()
  bodies.set(
    'decrypt',
    feed(
      item(
        'a?utm_source=x',
        'Bitcoin crashes after hack',
        '<pubDate>Sat, 21 Nov 2026 09:00:00 GMT</pubDate>',
      ),
      item('b', 'Undated'),
    ),
  )
  clock.nowMs += 3_600_000
  expect(await refreshFeed(deps, { source: 'decrypt' })).toMatchObject({ read: 2, changed: 1 })
  const second = await items()
  expect(second.map(({ id, published_at }) => [id, published_at])).toEqual(
    first.map(({ id, published_at }) => [id, published_at]),
  )
  expect(second[0]).toMatchObject({ title: 'Undated', published_at: new Date('2026-11-21T10:00:00Z') })
  expect(second[1]).toMatchObject({ title: 'Bitcoin crashes after hack', sentiment: 'bearish' })
  clock.nowMs = Date.now()
})

test('quarantines items without a link and stores the others', async () => {
  bodies.set('decrypt', feed(item('a', 'One'), '<item><title>lost \u0000</title></item>'))
  expect(await refreshFeed(deps, { source: 'decrypt' })).toEqual({ read: 1, changed: 1, quarantined: 1 })
  const rows = await query(database.ownerUrl, 'select source, area, reason from quarantine')
  expect(rows).toEqual([{ source: 'decrypt', area: 'news', reason: 'no link' }])
})

test.each(['malformed', 'truncate', 'error'] as const)(
  'a failing feed (%s) keeps its stored articles and records the failure',
  async (kind) => {
    await refreshFeed(deps, { source: 'theblock' })
    await query(database.ownerUrl, 'update news_sources set etag = null, last_modified = null')
    const before = await versions('news_items')
    faults.add({ source: 'feeds', kind, match: 'theblock', count: 3 })
    await expect(refreshFeed(deps, { source: 'theblock' })).rejects.toMatchObject({
      name: 'SourceUnavailable',
    })
    expect(await versions('news_items')).toEqual(before)
    const [state] = await query<{ consecutive_failures: number; last_failure: string }>(
      database.ownerUrl,
      `select consecutive_failures, last_failure from source_states where source = 'theblock'`,
    )
    expect(state!.consecutive_failures).toBe(3)
    expect(state!.last_failure).toMatch(/text\/html: no feed|breaks off|status 500/)
    await refreshFeed(deps, { source: 'theblock' })
  },
)

test('while a feed is down, its news sitemap adds new articles, and known ones keep their summaries', async () => {
  await refreshFeed(deps, { source: 'cointelegraph' })
  const told = () =>
    query(database.ownerUrl, 'select id, xmin::text from news_items where summary is not null order by id')
  const before = await told()
  clock.nowMs += 6 * 3_600_000
  faults.add({ source: 'feeds', kind: 'error', match: 'cointelegraph/rss', count: 3 })
  const { read, changed, quarantined } = await refreshFeed(deps, { source: 'cointelegraph' })
  expect(changed).toBeGreaterThan(0)
  expect(quarantined).toBe(0)
  expect(read).toBeGreaterThan(changed)
  expect(await told()).toEqual(before)
  expect(await items('summary is null')).toHaveLength(changed)
  // When the feed is back, it adds the summaries of the same articles.
  await refreshFeed(deps, { source: 'cointelegraph' })
  expect(await items('summary is null')).toEqual([])
  expect(await items()).toHaveLength(30 + changed)
  clock.nowMs = Date.now()
})

test('finds coins that are added later in the articles of the last weeks', async () => {
  bodies.set('decrypt', feed(item('a', 'Wobblecoin soars'), item('b', 'Nothing here')))
  await refreshFeed(deps, { source: 'decrypt' })
  expect(await reanalyseNews(deps)).toEqual({ articles: 0, coins: 0 })
  const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
  await insertCoin(owner.db, { id: 'wobblecoin', name: 'Wobblecoin', symbol: 'WOB', rank: 9, at: new Date() })
  await owner.close()
  expect(await reanalyseNews(deps)).toEqual({ articles: 2, coins: 1 })
  expect(await reanalyseNews(deps)).toEqual({ articles: 0, coins: 1 })
  expect((await items(`'wobblecoin' = any(coin_ids)`)).map(({ title }) => title)).toEqual([
    'Wobblecoin soars',
  ])
})

test('an article that changes while it is analysed again is analysed with its new text', async () => {
  bodies.set('decrypt', feed(item('a', 'Market crash wipes out gains')))
  await refreshFeed(deps, { source: 'decrypt' })
  await query(database.ownerUrl, `update news_items set analysis = 'of another lexicon'`)
  await whileUncommitted(
    database.ownerUrl,
    `select pg_advisory_xact_lock(hashtext('news_anchors'));
     update news_items set title = 'Bitcoin soars to a record high'`,
    () => reanalyseNews(deps),
  )
  expect(await items()).toMatchObject([{ title: 'Bitcoin soars to a record high', sentiment: 'bullish' }])
})

test('replaces the whole trending list, highest score first', async () => {
  for (const source of world.feeds) await refreshFeed(deps, { source })
  const length = await refreshTrending(deps)
  expect(length).toBeGreaterThan(20)
  expect(await refreshTrending(deps)).toBe(length)
  const rows = await query<{ rank: number; score: number }>(
    database.ownerUrl,
    'select rank, score from news_trending order by rank',
  )
  expect(rows.map(({ rank }) => rank)).toEqual(rows.map((_, i) => i + 1))
  expect(rows.map(({ score }) => score)).toEqual(rows.map(({ score }) => score).toSorted((a, b) => b - a))
})
