import { beforeAll, expect, test } from 'vitest'
import { getEventCrossVenue } from '../../api/prediction/get-event-cross-venue.ts'
import { getMarketCrossVenue } from '../../api/prediction/get-market-cross-venue.ts'
import { getPredictionSearch } from '../../api/prediction/get-search.ts'
import { createPredictionWorld } from '../../sandbox/prediction/prediction-world.ts'
import { sluiceHere } from '../cli/sluice-here.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint, refusal } from '../setup/endpoint.ts'
import { query } from '../setup/query.ts'
import { exampleOf } from '../start/examples.ts'
import { startPredictionWorld } from './prediction-world.ts'

const database = await testDatabase()
const { activities, loadVenue, match, clock } = await startPredictionWorld(database)
const api = await startApi({
  database,
  routes: [getMarketCrossVenue, getEventCrossVenue, getPredictionSearch],
})
const { key } = await api.newAccount()
const market = endpoint(api, { route: getMarketCrossVenue, key })
const event = endpoint(api, { route: getEventCrossVenue, key })
const anchor = Math.floor(clock.nowMs / 86_400_000) * 86_400
const world = createPredictionWorld({ seed: 7, anchor }).markets

interface Row {
  p: string
  k: string
  question: string
  asked: string
  label: string
  relation: string
  inverted: boolean
  score: string
  clauses: string[]
}
const pairs = () =>
  query<Row & Record<string, unknown>>(
    database.ownerUrl,
    `select p.slug as p, k.slug as k, p.question, k.question as asked, k.label, x.relation, x.inverted, x.score,
      array(select v ->> 'clause' from jsonb_array_elements(x.vetoes) as v) as clauses
    from prediction_matches x join prediction_markets p on p.id = x.polymarket_id
    join prediction_markets k on k.id = x.kalshi_id order by x.score desc, p.id, k.id`,
  )
const find = async (question: RegExp, asked: RegExp) =>
  (await pairs()).filter((row) => question.test(row.question) && asked.test(`${row.asked} ${row.label}`))

beforeAll(async () => {
  await loadVenue('polymarket')
  await match()
  await loadVenue('kalshi')
  const marketIds = await activities.listMarketsWithNewTrades({ venue: 'kalshi', limit: 10_000 })
  await activities.loadMarketTrades({ marketIds })
  await activities.summarisePrediction()
  await match()
})

test('matches exactly the markets that ask the same in the simulated world', async () => {
  const truths = new Map(world.kalshi.map((one) => [`${one.question} ${one.label || null}`, one]))
  const truthOf = new Map(world.polymarket.map((one) => [one.question, one]))
  const found = (await pairs()).filter(({ relation }) => relation === 'same')
  for (const { question, asked, label, inverted } of found) {
    const [a, b] = [truthOf.get(question)!, truths.get(`${asked} ${label}`)!]
    expect([question, asked, label, a.truth]).toEqual([question, asked, label, b.truth])
    expect([question, asked, label, inverted]).toEqual([question, asked, label, b.negated === true])
  }
  const known = new Set(
    world.polymarket.filter(({ startsAt }) => startsAt <= clock.nowMs / 1000).map(({ truth }) => truth),
  )
  const expected = world.kalshi.filter(
    ({ truth, startsAt }) => known.has(truth) && startsAt <= clock.nowMs / 1000,
  )
  expect(expected.length).toBeGreaterThan(50)
  const matched = new Set(found.map(({ asked, label }) => `${asked} ${label}`))
  const missed = expected.filter((one) => !matched.has(`${one.question} ${one.label || null}`))
  expect(missed.map(({ question, label }) => `${question} ${label}`)).toEqual([])
})

test('stores pairs that differ in one clause with the reason', async () => {
  const misses = (await find(/Solana be above \$120 on/, /Solana price on .* \$120 or above/)).filter(
    ({ relation }) => relation === 'different',
  )
  expect(misses.length).toBeGreaterThan(0)
  for (const { score, clauses } of misses) expect([score, clauses]).toEqual(['0', ['date']])
  const deliveries = await find(/Tesla .* above 450,000/, /450,000/)
  expect(deliveries.map(({ relation, clauses }) => [relation, clauses])).toEqual([
    ['different', ['threshold']],
  ])
  const sanchez = await find(/^Sánchez out by/, /Sánchez leave office/)
  expect(sanchez.map(({ relation, clauses }) => [relation, clauses])).toEqual([['different', ['date']]])
})

test('compares only markets that are new or have new texts', async () => {
  expect(await match()).toBe(0)
  const before = await pairs()
  await loadVenue('kalshi')
  expect(await match()).toBe(0)
  const [pair] = await find(/Bitcoin be above \$100,000/, /\$100,000 or above/)
  expect(pair).toMatchObject({ relation: 'same' })
  const rename = (from: string, to: string) =>
    query(
      database.ownerUrl,
      'update prediction_markets set question = replace(question, $1, $2) where slug = $3',
      [from, to, pair!.p],
    )
  await rename('$100,000', '$100,400')
  expect(await match()).toBe(1)
  const changed = (await find(/Bitcoin be above \$100,400/, /\$100,000 or above/)).find(
    ({ k }) => k === pair!.k,
  )
  expect(changed).toMatchObject({ relation: 'different', clauses: ['threshold'] })
  await rename('$100,400', '$100,000')
  expect(await match()).toBe(1)
  expect(await pairs()).toEqual(before)
})

test('a market lists its match with prices, price gap, best bid and best ask', async () => {
  const [pair] = await find(/Bitcoin be above \$100,000/, /\$100,000 or above/)
  const { body, credits, headers } = await market(`/prediction/markets/${pair!.p}/cross-venue`)
  expect(credits).toBe(10)
  expect(headers.get('x-data-as-of')).toMatch(/^20/)
  const { venues, summary } = body.data
  expect(
    venues.map((row: { venue: string; marketSlug: string; matchScore: number }) => [
      row.venue,
      row.marketSlug,
    ]),
  ).toEqual([
    ['polymarket', pair!.p],
    ['kalshi', pair!.k],
  ])
  expect([venues[0].matchScore, venues[1].matchScore]).toEqual([1, Number(pair!.score)])
  const [a, b] = venues
  // Both venues add a little noise to the same probability.
  expect(Math.abs(a.yesPrice - b.yesPrice)).toBeLessThan(0.25)
  expect(summary).toMatchObject({ venuesCount: 2 })
  expect(summary.averagePrice).toBeCloseTo((a.yesPrice + b.yesPrice) / 2, 6)
  expect(summary.weightedPrice).toBeCloseTo(
    (a.yesPrice * a.volume24h + b.yesPrice * b.volume24h) / (a.volume24h + b.volume24h),
    5,
  )
  expect(summary.priceGap).toBeCloseTo(Math.abs(a.yesPrice - b.yesPrice), 6)
  // A market that is nearly certain may have no ask, which is 0 in the list.
  const asks = [a.bestAsk, b.bestAsk].filter((ask) => ask > 0)
  expect(summary.lowestAsk?.price).toBe(asks.length > 0 ? Math.min(...asks) : undefined)
  expect(summary.highestBid.price).toBe(Math.max(a.bestBid, b.bestBid))
  const bidder = asks.length > 0 && summary.highestBid.venue !== summary.lowestAsk.venue
  if (bidder) expect(summary.arbitrage).toBe(summary.highestBid.price > summary.lowestAsk.price)
  // Starting from the other market gives the same pair.
  const other = (await market(`/prediction/markets/${pair!.k}/cross-venue`)).body.data
  expect(other.venues.map(({ marketSlug }: { marketSlug: string }) => marketSlug)).toEqual([pair!.k, pair!.p])
})

test('a market that asks the opposite has the prices of its No', async () => {
  const [pair] = await find(/Starmer out/, /Starmer remain/)
  expect(pair).toMatchObject({ inverted: true, relation: 'same' })
  const [asked, opposite] = (await market(`/prediction/markets/${pair!.p}/cross-venue`)).body.data.venues
  expect(Math.abs(asked.yesPrice - opposite.yesPrice)).toBeLessThan(0.25)
  const [stored] = await query<{ price: string; bid: string | null; ask: string | null }>(
    database.ownerUrl,
    `select o.price, m.best_bid as bid, m.best_ask as ask from prediction_markets m
     join prediction_outcomes o on o.market_id = m.id and o.position = 0 where m.slug = $1`,
    [pair!.k],
  )
  expect(opposite.yesPrice).toBeCloseTo(1 - Number(stored!.price), 6)
  // Near the end there may be no bid.
  for (const [shown, other] of [
    [opposite.bestBid, stored!.ask],
    [opposite.bestAsk, stored!.bid],
  ])
    if (other === null) expect(shown).toBeNull()
    else expect(shown).toBeCloseTo(1 - Number(other), 6)
})

test('each of the two Kalshi markets of a game matches one outcome, and their event has one vote', async () => {
  const [game] = await find(/^Lakers vs. Celtics$/, /Winner/)
  const { venues, summary } = (await market(`/prediction/markets/${game!.p}/cross-venue`)).body.data
  expect(venues).toHaveLength(3)
  expect(summary.venuesCount).toBe(2)
  for (const { yesPrice } of venues) expect(Math.abs(yesPrice - venues[0].yesPrice)).toBeLessThan(0.25)
  expect(summary.weightedPrice).toBe(summary.averagePrice)
  // Votes: the requested market, and the one of Kalshi with more volume.
  const trades = { [venues[0].marketSlug]: 50, [venues[1].marketSlug]: 100, [venues[2].marketSlug]: 150 }
  for (const [slug, volume] of Object.entries(trades))
    await query(database.ownerUrl, 'update prediction_markets set volume_24h_usd = $1 where slug = $2', [
      volume,
      slug,
    ])
  const traded = (await market(`/prediction/markets/${game!.p}/cross-venue`)).body.data
  const [asked, vote] = [venues[0].yesPrice, venues[2].yesPrice]
  expect(traded.summary.averagePrice).toBeCloseTo((asked + vote) / 2, 6)
  expect(traded.summary.weightedPrice).toBeCloseTo((asked * 50 + vote * 150) / 200, 5)
})

test('events match by their matching markets', async () => {
  const slugs = await query<{ p: string; k: string }>(
    database.ownerUrl,
    `select p.slug as p, k.slug as k from prediction_event_matches x join prediction_events p on p.id = polymarket_id
     join prediction_events k on k.id = kalshi_id where p.title = 'NBA Champion'`,
  )
  expect(slugs).toHaveLength(1)
  const { body, credits } = await event(`/prediction/events/${slugs[0]!.p}/cross-venue`)
  expect(credits).toBe(10)
  const { venues, outcomes, summary } = body.data
  expect(venues.map((row: { eventSlug: string }) => row.eventSlug)).toEqual([slugs[0]!.p, slugs[0]!.k])
  expect(summary).toMatchObject({ venuesCount: 2, matchedOutcomes: 6 })
  expect(outcomes).toHaveLength(6)
  for (const { prices, priceGap } of outcomes) {
    expect(prices.map(({ venue }: { venue: string }) => venue)).toEqual(['polymarket', 'kalshi'])
    expect(priceGap).toBeCloseTo(Math.abs(prices[0].yesPrice - prices[1].yesPrice), 6)
  }
  expect(summary.maxPriceGap).toBe(
    Math.max(...outcomes.map(({ priceGap }: { priceGap: number }) => priceGap)),
  )
  expect(summary.totalVolume).toBeCloseTo(venues[0].volumeTotal + venues[1].volumeTotal, 4)
  // Kalshi lists one market more.
  const other = (await event(`/prediction/events/${slugs[0]!.k}/cross-venue`)).body.data
  expect([other.outcomes.length, other.summary.matchedOutcomes, other.outcomes.at(-1).prices.length]).toEqual(
    [7, 6, 1],
  )
})

test('the example requests of both cross-venue routes return a match', async () => {
  const send = async (_method: string, path: string) => {
    const response = await api.get(path, key)
    return { status: response.status, body: await response.json() }
  }
  for (const path of ['/prediction/markets/{slug}/cross-venue', '/prediction/events/{slug}/cross-venue'])
    expect(await exampleOf(path)({ wallet: '', send })).toMatch(/cross-venue$/)
})

test('decisions made with `sluice prediction` survive a new comparison', async () => {
  const command = sluiceHere({ DATABASE_URL: database.ownerUrl })
  const sluice = (...args: string[]) => command('prediction', ...args)
  const slugsOf = async (slug: string, rest = '') =>
    (await market(`/prediction/markets/${slug}/cross-venue${rest}`)).body.data.venues.map(
      (row: { marketSlug: string; matchScore: number }) => [row.marketSlug, row.matchScore],
    )
  const [good] = await find(/Bitcoin be above \$120,000/, /\$120,000 or above/)
  const [miss] = await find(/^Sánchez out by/, /Sánchez leave office/)
  const listed = (await sluice('matches', '--relation', 'different', '--limit', '10000')).stdout
  expect(listed).toContain(`different  clauses-2  ${miss!.p}  ${miss!.k}`)
  expect(listed).toMatch(/date: by \d{4}-\d\d-\d\d against by \d{4}-\d\d-\d\d/)
  expect((await sluice('reject', good!.p, good!.k)).stdout).toBe('rejected\n')
  expect((await sluice('confirm', miss!.p, miss!.k)).stdout).toBe('confirmed\n')
  for (const recomputed of [false, true]) {
    if (recomputed) {
      await query(database.ownerUrl, `update prediction_match_states set method = 'older'`)
      expect(await match()).toBeGreaterThan(200)
    }
    expect(await slugsOf(good!.p, '?minScore=0')).toEqual([[good!.p, 1]])
    expect(await slugsOf(miss!.p, '?minScore=1')).toEqual([
      [miss!.p, 1],
      [miss!.k, 1],
    ])
  }
  expect((await sluice('matches', '--status', 'rejected')).stdout.split('\n')).toHaveLength(2)
  const inverted = await sluice('confirm', good!.p, good!.k, '--inverted')
  expect(inverted.stdout).toContain('Yes of one is No of the other')
  expect(await slugsOf(good!.p)).toEqual([
    [good!.p, 1],
    [good!.k, 1],
  ])
  expect((await sluice('confirm', good!.k, good!.p)).status).toBe(0)
  const unknown = await sluice('confirm', good!.k, 'nowhere')
  expect([unknown.status, unknown.stdout]).toEqual([1, expect.stringContaining('are not markets of two')])
  for (const bad of [['matches', '--status', 'maybe'], ['confirm', good!.p], ['guess']])
    expect(await sluice(...bad)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('sluice prediction'),
    })
  expect((await sluice('matches', '--colour')).stderr).toContain('Usage:\n  sluice prediction matches')
})

test('unknown slugs and invalid scores return an error and cost nothing; a market without a match stands alone', async () => {
  const cases: [path: string, status: number, message: string][] = [
    ['/markets/no-such-market/cross-venue', 404, 'Market not found'],
    ['/events/no-such-event/cross-venue', 404, 'Event not found'],
  ]
  for (const score of ['-0.1', '1.01', 'NaN', '1e-1', '', '0,8', '2', '٠.٨', '0.8&minScore=0.9'])
    cases.push([`/markets/x/cross-venue?minScore=${score}`, 400, 'Invalid parameter: minScore'])
  cases.push(['/events/x/cross-venue?minScore=1.5', 400, 'Invalid parameter: minScore'])
  for (const [path, status, message] of cases) {
    const response = await api.get(`/prediction${path}`, key)
    expect(response.headers.get('x-credits-cost') ?? '0', path).toBe('0')
    expect([path, ...(await refusal(response))]).toEqual([path, status, message])
  }
  const [alone] = await query<{ slug: string; event: string }>(
    database.ownerUrl,
    `select m.slug, e.slug as event from prediction_markets m join prediction_events e on e.id = m.event_id
     where m.question = 'Arsenal vs. Chelsea'`,
  )
  const { venues, summary } = (await market(`/prediction/markets/${alone!.slug}/cross-venue`)).body.data
  expect(venues).toHaveLength(1)
  expect(summary).toMatchObject({
    venuesCount: 1,
    priceGap: 0,
    arbitrage: false,
    averagePrice: venues[0].yesPrice,
  })
  const single = (await event(`/prediction/events/${alone!.event}/cross-venue`)).body.data
  expect(single.summary).toMatchObject({ venuesCount: 1, matchedOutcomes: 0, maxPriceGap: 0 })
})
