import { beforeAll, describe, expect, test } from 'vitest'
import { refreshFeed } from '../../activities/news/refresh-feed.ts'
import { refreshTrending } from '../../activities/news/refresh-trending.ts'
import { getNewsByType } from '../../api/news/get-news-by-type.ts'
import { getNewsItem } from '../../api/news/get-news-item.ts'
import { getNewsSources } from '../../api/news/get-news-sources.ts'
import { getNews } from '../../api/news/get-news.ts'
import { routes } from '../../api/routes.ts'
import { html } from '../../web/parts/html.ts'
import { sluiceHere } from '../cli/sluice-here.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint, refusal } from '../setup/endpoint.ts'
import { insertCoin } from '../setup/factories.ts'
import { query } from '../setup/query.ts'
import { startNewsWorld } from './news-world.ts'

const database = await testDatabase()
const world = await startNewsWorld(database)
const api = await startApi({ database, routes, overrides: { pagesUrl: 'https://data.example' } })
const { key } = await api.newAccount()
const news = endpoint(api, { route: getNews, key })
const byType = endpoint(api, { route: getNewsByType, key })
const one = endpoint(api, { route: getNewsItem, key })
const sources = endpoint(api, { route: getNewsSources, key })
const escaped = (text: string) => html`${text}`.html

async function shown(path: string) {
  const response = await fetch(`http://127.0.0.1:${api.port}${path}`)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

beforeAll(async () => {
  const quote = { price_change_1d: '-2.5' }
  const coin = { at: new Date(), priceUsd: '80000', rank: 1 }
  await insertCoin(api.owner, { id: 'bitcoin', symbol: 'BTC', name: 'Bitcoin', ...coin, quote })
  await insertCoin(api.owner, { id: 'ethereum', symbol: 'ETH', name: 'Ethereum', ...coin, rank: 2 })
  for (const source of world.feeds) await refreshFeed(world.deps, { source })
  await refreshTrending(world.deps)
})

test('GET /news returns each article once, newest first, page after page', async () => {
  const { body, headers, credits } = await news('/news')
  expect(body.result).toHaveLength(20)
  expect(credits).toBe(5)
  expect(headers.get('x-data-as-of')).toBe(new Date(world.clock.nowMs).toISOString())
  const all = (await news('/news?limit=1000')).body.result as { id: string; feedDate: number }[]
  expect(all).toHaveLength(275)
  expect(all.map(({ feedDate }) => feedDate)).toEqual(
    all.map(({ feedDate }) => feedDate).toSorted((a, b) => b - a),
  )
  const pages = await Promise.all([1, 2, 3, 4, 5, 6].map((page) => news(`/news?page=${page}&limit=50`)))
  expect(pages.flatMap(({ body: { result } }) => result as { id: string }[])).toEqual(all)
  expect((await news('/news?page=7&limit=50')).body).toEqual({ result: [] })
})

test('GET /news returns the articles between two instants', async () => {
  const all = (await news('/news?limit=1000')).body.result as { id: string; feedDate: number }[]
  const [to, from] = [all[30]!.feedDate, all[200]!.feedDate]
  const window = `from=${new Date(from).toISOString()}&to=${encodeURIComponent(new Date(to).toISOString())}`
  const expected = all.filter(({ feedDate }) => feedDate >= from && feedDate < to)
  expect((await news(`/news?${window}&limit=1000`)).body.result).toEqual(expected)
  expect((await news(`/news?${window}&page=3&limit=40`)).body.result).toEqual(expected.slice(80, 120))
})

test('an item has all fields of the contract and its coins', async () => {
  const all = (await news('/news?limit=1000')).body.result as Record<string, any>[]
  const about = all.find((item) => item['source'] === 'CoinDesk' && item['relatedCoins'].includes('bitcoin'))!
  expect(about).toMatchObject({
    id: expect.stringMatching(/^[0-9a-f]{64}$/),
    isFeatured: false,
    link: expect.stringMatching(/^https:\/\/coindesk\.example\/markets|policy|business|technology|security/),
    sourceLink: 'https://www.coindesk.com',
    imgUrl: expect.stringContaining('https://images.coindesk.example/'),
    bigImg: true,
    shareURL: `https://data.example/news/${about['id']}`,
    searchKeyWords: expect.any(Array),
    description: expect.any(String),
  })
  expect(about['coins']).toContainEqual({
    coinKeyWords: 'BTC',
    coinPercent: -2.5,
    coinTitleKeyWords: 'BTC',
    coinNameKeyWords: 'Bitcoin',
    coinIdKeyWords: 'bitcoin',
  })
  const commented = all.find((item) => item['reactions'].length > 0)!
  expect(commented['reactionsCount']).toEqual({ comments: expect.any(Number) })
  const { body, credits, headers } = await one(`/news/${about['id']}`)
  expect(body).toEqual(about)
  expect(credits).toBe(1)
  expect(headers.get('x-data-as-of')).toBe(new Date(world.clock.nowMs).toISOString())
})

test('shareURL leads to a page of the article, free and without a key', async () => {
  const [item] = (await news('/news?limit=1000')).body.result.filter(
    ({ coins }: { coins?: unknown }) => coins,
  )
  const path = new URL(item.shareURL).pathname
  const { status, headers, text } = await shown(path)
  expect(status).toBe(200)
  expect(headers.get('content-security-policy')).toContain(`default-src 'none'`)
  expect(text).toContain(`<h1>${escaped(item.title)}</h1>`)
  expect(text).toContain(`href="${escaped(item.link)}"`)
  for (const expected of [item.source, item.description, item.coins[0].coinNameKeyWords])
    expect(text).toContain(escaped(expected))
})

test('without an address for browsers, shareURL is the article itself', async () => {
  const { port, newAccount } = await startApi({ database, routes: [getNewsItem] })
  const [item] = (await news('/news?limit=1')).body.result
  const { key: other } = await newAccount()
  const answer = await fetch(`http://127.0.0.1:${port}/v1/news/${item.id}`, {
    headers: { 'x-api-key': other },
  })
  expect(await answer.json()).toMatchObject({ id: item.id, shareURL: item.link })
})

test.each(['0'.repeat(64), 'x', `${'0'.repeat(63)}%27`])(
  'the page of an unknown article is 404: %s',
  async (id) => {
    const { status, text } = await shown(`/news/${id}`)
    expect([status, text]).toEqual([404, expect.stringContaining('News not found')])
  },
)

test('GET /news/type/{type} returns the articles of that type', async () => {
  const latest = await byType('/news/type/latest?limit=5')
  expect(latest.body).toEqual((await news('/news?limit=5')).body.result)
  expect(latest.credits).toBe(5)
  const stored = await query<{ id: string; sentiment: string }>(
    database.ownerUrl,
    'select id, sentiment from news_items',
  )
  const sentiments = new Map(stored.map(({ id, sentiment }) => [id, sentiment]))
  for (const type of ['bullish', 'bearish'] as const) {
    const { body } = await byType(`/news/type/${type}?limit=1000`)
    expect(body.length).toBe(stored.filter(({ sentiment }) => sentiment === type).length)
    expect(body.length).toBeGreaterThan(10)
    expect(body.every(({ id }: { id: string }) => sentiments.get(id) === type)).toBe(true)
  }
  const trending = await byType('/news/type/trending?limit=10')
  const ranked = await query<{ news_id: string }>(
    database.ownerUrl,
    'select news_id from news_trending order by rank limit 20',
  )
  const second = await byType('/news/type/trending?limit=10&page=2')
  expect([...trending.body, ...second.body].map(({ id }: { id: string }) => id)).toEqual(
    ranked.map(({ news_id }) => news_id),
  )
})

test('handpicked holds the articles that the operator picked on the command line, until they are unpicked', async () => {
  expect((await byType('/news/type/handpicked')).body).toEqual([])
  const all = (await news('/news?limit=30')).body.result as { id: string }[]
  const command = sluiceHere({ DATABASE_URL: database.ownerUrl })
  const sluice = (...args: string[]) => command('news', ...args)
  for (const index of [20, 3]) expect((await sluice('pick', all[index]!.id)).status).toBe(0)
  const picked = (await byType('/news/type/handpicked')).body as { id: string; isFeatured: boolean }[]
  expect(picked.map(({ id, isFeatured }) => [id, isFeatured])).toEqual([
    [all[3]!.id, true],
    [all[20]!.id, true],
  ])
  expect((await sluice('unpick', all[3]!.id)).stdout).toContain('unpicked')
  expect((await byType('/news/type/handpicked')).body).toHaveLength(1)
  const unknown = await sluice('pick', 'f'.repeat(64))
  expect([unknown.status, unknown.stdout]).toEqual([1, expect.stringContaining('there is no article')])
  expect((await sluice('choose', 'x')).stderr).toContain('"sluice news" has no "choose"')
})

test('GET /news/sources returns every feed with its health', async () => {
  const { body, credits } = await sources('/news/sources')
  expect(credits).toBe(2)
  expect(body).toHaveLength(world.feeds.length)
  expect(body.find(({ sourcename }: { sourcename: string }) => sourcename === 'CryptoSlate')).toEqual({
    sourcename: 'CryptoSlate',
    weburl: 'https://cryptoslate.com',
    feedurl: 'https://cryptoslate.com/feed/',
    _created_at: expect.any(String),
    _updated_at: expect.any(String),
    health: 'ok',
    sourceImg: 'https://cryptoslate.example/logo.png',
  })
  world.faults.add({ source: 'feeds', kind: 'malformed', match: 'theblock', count: 3 })
  await expect(refreshFeed(world.deps, { source: 'theblock' })).rejects.toThrow(/no feed/)
  await query(
    database.ownerUrl,
    `update news_sources set fetched_at = now() - interval '2 hours' where source = 'decrypt'`,
  )
  const after = (await sources('/news/sources')).body as { sourcename: string; health: string }[]
  const health = Object.fromEntries(after.map((row) => [row.sourcename, row.health]))
  expect(health).toMatchObject({ 'The Block': 'failing', Decrypt: 'stale', CoinDesk: 'ok' })
})

describe('bad input', () => {
  const bad = async (path: string) => refusal(await api.get(path, key))
  const PAGES = [
    '0',
    '-1',
    '1.5',
    '1e2',
    '0x10',
    '%205',
    '%2B5',
    '',
    'NaN',
    'Infinity',
    '2147483648',
    '1e30',
    '１',
  ]
  test.each(PAGES)('returns 400 for page=%s', async (page) => {
    expect(await bad(`/news?page=${page}`)).toEqual([400, 'Invalid parameter: page'])
    expect(await bad(`/news/type/latest?page=${page}`)).toEqual([400, 'Invalid parameter: page'])
  })
  test.each(['0', '1001', '-5', 'ten'])('returns 400 for limit=%s', async (limit) => {
    expect(await bad(`/news?limit=${limit}`)).toEqual([400, 'Invalid parameter: limit'])
    expect(await bad(`/news/type/bullish?limit=${limit}`)).toEqual([400, 'Invalid parameter: limit'])
  })
  const DATES = [
    '2026-02-30',
    '2026-1-5',
    '2026-01-01T00:00:00',
    'now',
    '1735000000',
    '2026-01-01T25:00:00Z',
    '',
  ]
  test.each([...DATES, '294277-01-01', '2026-01-01T00:00:00%2B25:00'])(
    'returns 400 for from=%s',
    async (from) => expect(await bad(`/news?from=${from}`)).toEqual([400, 'Invalid parameter: from']),
  )
  test('returns 400 for a window that ends before it starts', async () => {
    expect(await bad('/news?from=2026-02-01&to=2026-01-01')).toEqual([400, 'Invalid parameter: to'])
    expect(await bad('/news?from=2026-02-01&to=2026-02-01')).toEqual([400, 'Invalid parameter: to'])
  })
  test('returns 400 for a repeated parameter and a broken escape', async () => {
    expect((await bad('/news?page=1&page=2'))[0]).toBe(400)
    expect((await bad('/news?from=%zz'))[0]).toBe(400)
  })
  test.each(['Latest', 'LATEST', 'bull', 'latest,bullish', '__proto__', 'constructor', '%00', 'trending%20'])(
    'returns 400 for type %s and names the allowed ones',
    async (type) => expect(await bad(`/news/type/${type}`)).toEqual([400, 'Invalid parameter: type']),
  )
  test.each([
    'x',
    'F'.repeat(64),
    'f'.repeat(63),
    `${'f'.repeat(64)}a`,
    '..%2F..',
    "';--",
    'type',
    '%00',
    'f'.repeat(64),
  ])('returns 404 for id %s', async (id) => expect((await bad(`/news/${id}`))[0]).toBe(404))
  test('accepts the limits of the allowed ranges', async () => {
    expect((await news('/news?page=2147483647&limit=1000')).body).toEqual({ result: [] })
    expect((await byType('/news/type/trending?page=2147483647&limit=1000')).body).toEqual([])
    expect((await news('/news?from=0001-01-01&to=0002-01-01')).body).toEqual({ result: [] })
    expect((await news('/news?from=9999-12-31')).body).toEqual({ result: [] })
    expect((await news('/news?to=9999-12-31&limit=1')).body.result).toHaveLength(1)
  })
  test('returns 401 without a key', async () => expect((await api.get('/news')).status).toBe(401))
})
