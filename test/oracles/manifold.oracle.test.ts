import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createClock } from '../upstreams/double.ts'
import type { ManifoldMarket } from '../upstreams/manifold.ts'
import { predictionDatabase } from '../upstreams/prediction-doubles.ts'
import { installPythonTool } from './install-python-tool.ts'

// A client of Manifold that others wrote reads from the double what Sluice reads from it.

const run = promisify(execFile)
const { select, manifold } = await predictionDatabase()
const NOW_MS = createClock().now()
const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000]

const market = (n: number, more: Partial<ManifoldMarket> = {}): ManifoldMarket => ({
  id: `m${n}`,
  question: `Will number ${n} happen?`,
  slug: `will-number-${n}-happen`,
  probability: n / 7,
  bettors: 100 - n,
  createdAtMs: NOW_MS - 20 * DAY_MS + n,
  closesAtMs: n === 2 ? null : NOW_MS + n * DAY_MS,
  volume: 1_000,
  bets: [],
  ...more,
})

test('manifoldpy of PyPI reads the same markets, results and prices', async () => {
  const bets = Array.from({ length: 1_500 }, (_, i) => ({
    atMs: NOW_MS - 15 * DAY_MS + i * 7 * 60_000,
    probBefore: (i + 1) / 2_000,
    probAfter: (i + 2) / 2_000,
  }))
  const markets = [market(1, { bets }), market(2), market(3), market(4), market(5), market(6)]
  const { sync, double, clock } = await manifold(markets)
  await sync('manifold')
  const atMs = clock.now()
  for (const [i, of] of (['YES', 'NO', 'MKT', 'CANCEL'] as const).entries())
    markets[i + 2]!.resolution = { of, atMs }
  clock.advance(2 * HOUR_MS)
  await sync('manifold')
  const programs = await installPythonTool({
    name: 'manifoldpy-1.1.2',
    // Without what it pins for plotting: that has no wheels for the Python of today.
    requirements: [
      '--no-deps',
      'manifoldpy==1.1.2',
      'attrs==26.1.0',
      'numpy==2.4.6',
      'requests==2.34.2',
      'urllib3==2.8.0',
      'certifi==2026.10.19.post1',
      'idna==3.20',
      'charset-normalizer==3.5.3',
    ],
  })
  const { stdout } = await run(join(programs, 'python'), [
    join(import.meta.dirname, 'manifold_client.py'),
    double.url,
    'm1',
  ])
  const theirs = JSON.parse(stdout) as {
    markets: (Record<'id' | 'question' | 'slug', string> & {
      probability: number
      createdTime: number
      closeTime: number | null
      isResolved: boolean
      resolution: string | null
      resolutionProbability: number | null
    })[]
    prices: [atMs: number, price: number][]
  }
  const ours = await select<object>(
    `select venue_market_id as id, question, slug, created_at as created, end_at as ends, status, o.price::float as price
     from prediction_markets m join prediction_outcomes o on o.market_id = m.id and o.position = 0
     order by created_at desc`,
  )
  const paid = (one: (typeof theirs.markets)[number]) =>
    ({ YES: 1, NO: 0, MKT: one.resolutionProbability })[one.resolution ?? ''] ?? one.probability
  expect(
    theirs.markets.map((one) => ({
      id: one.id,
      question: one.question,
      slug: `manifold-${one.slug}`,
      created: new Date(one.createdTime),
      ends: one.closeTime === null ? null : new Date(one.closeTime),
      status: one.isResolved ? (one.resolution === 'CANCEL' ? 'cancelled' : 'resolved') : 'open',
      price: paid(one),
    })),
  ).toEqual(ours)

  const hours = new Map(theirs.prices.map(([at, price]) => [Math.ceil(at / HOUR_MS) * HOUR_MS, price]))
  expect(
    await select<object>('select at, price::float from prediction_prices where minutes = 60 order by at'),
  ).toEqual([...hours].map(([at, price]) => ({ at: new Date(at), price })))
  expect(theirs.prices).toHaveLength(bets.length)
  expect(double.refused).toEqual([])
}, 300_000)
