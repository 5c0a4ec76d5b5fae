import { expect, test } from 'vitest'
import { readIngestConfig } from '../../activities/config.ts'
import { planRequests, planSource } from '../../activities/plan-requests.ts'
import type { Asking } from '../../activities/requests.ts'
import { allSourceSettings } from '../../activities/source-settings.ts'
import { sourcePlanText } from '../../cli/source-plan.ts'

const plan = (env: Record<string, string>) => {
  const live = { SOURCES: 'live', ...env }
  return planRequests(null, { config: readIngestConfig(live), settings: allSourceSettings(live) })
}

const limits = (units: number) => ({
  name: 'vendor',
  requestsPerSecond: null,
  quota: { units, per: 'day' as const, unit: 'credits' },
})
const asking = (part: Partial<Asking>): Asking => ({
  source: 'vendor',
  what: 'rows',
  work: 'refresh',
  requests: 100,
  seconds: 600,
  ...part,
})

test('what fits keeps its interval', () => {
  expect(planSource(limits(1_000), [asking({})])).toMatchObject({
    units: 100,
    unit: 'credits',
    allowance: 1_000,
    askings: [{ borne: 1, plannedSeconds: 600 }],
  })
})

test('what does not fit is cut by priority: heads first, the rest from what they leave', () => {
  const { units, askings } = planSource(limits(1_000), [
    asking({ requests: 600 }),
    asking({ work: 'heads', requests: 20, units: 500 }),
  ])
  expect(units).toBe(1_100)
  // 70 % of 1,000 are for what may be older, and heads have spent 500 of them.
  expect(askings.map(({ borne }) => borne)).toEqual([200 / 600, 1])
  expect(askings[0]!.plannedSeconds).toBeCloseTo(1_800)
})

test('heads that leave nothing stop the refresh of the rest', () => {
  const { askings } = planSource(limits(1_000), [asking({}), asking({ work: 'heads', requests: 1_900 })])
  expect(askings.map(({ borne, plannedSeconds }) => [borne, plannedSeconds])).toEqual([
    [0, null],
    [0.5, 1_200],
  ])
})

test('what is read once takes as many days as the rest of the allowance needs', () => {
  const { askings, units } = planSource(limits(1_000), [
    asking({ work: 'heads', requests: 300 }),
    asking({ work: 'history', requests: 1_000, seconds: null }),
  ])
  expect(units).toBe(300)
  // 80 % less the 300 of heads.
  expect(askings[1]).toMatchObject({ borne: 0.5, plannedSeconds: 2 * 86_400 })
})

test('a pace that is too slow cuts all work alike, and less of the allowance is spent', () => {
  const paced = { ...limits(1_000_000), requestsPerSecond: 1 }
  const { askings } = planSource(paced, [
    asking({ requests: 86_400 }),
    asking({ work: 'heads', requests: 86_400 }),
  ])
  expect(askings.map(({ borne, plannedSeconds }) => [borne, plannedSeconds])).toEqual([
    [0.5, 1_200],
    [0.5, 1_200],
  ])
})

const GECKO = { COINGECKO_API_KEY: 'k' }

test.each([
  // Kalshi has more markets than its pace bears every 15 minutes.
  { env: {}, cut: ['kalshi'] },
  // CoinGecko's is until all coins are described.
  { env: GECKO, cut: ['coingecko', 'kalshi'] },
  { env: { ...GECKO, GOPLUS_API_KEY: 'a:b' }, cut: ['coingecko', 'kalshi'] },
  { env: { OPENSEA_API_KEY: 'instant' }, cut: ['opensea', 'kalshi'] },
  { env: { ALCHEMY_API_KEY: 'k' }, cut: ['alchemy-nft', 'kalshi'] },
])('free plans bear what is usual, apart from $cut: $env', async ({ env, cut }) => {
  const { counts, sources } = await plan(env as Record<string, string>)
  expect(counts).toMatchObject({ coins: 500, 'tokens on Solana': 20, 'NFT collections': 100 })
  expect(sources.length).toBeGreaterThan(12)
  const regular = sources.flatMap(({ askings }) => askings.filter(({ seconds }) => seconds !== null))
  const late = regular.filter(({ borne }) => borne < 1)
  expect(new Set(late.map(({ source }) => source))).toEqual(new Set(cut))
  for (const { source, what, work, plannedSeconds } of late)
    expect([source, what, work, plannedSeconds !== null]).toEqual([source, what, 'refresh', true])
})

test('without a source that is first, the next one is asked', async () => {
  const ofQuotes = async (env: Record<string, string>) =>
    (await plan(env)).sources.flatMap(({ source, askings }) =>
      askings.some(({ what }) => what === 'quotes') ? [source] : [],
    )
  expect(await ofQuotes({})).toEqual(['coinpaprika'])
  expect(await ofQuotes({ COINGECKO_API_KEY: 'k' })).toEqual(['coingecko', 'coinpaprika'])
})

test('a followed Bitcoin costs the same for any number of wallets, and polling two spends the public Esplora', async () => {
  const esploraOf = async (env: Record<string, string>) =>
    (await plan(env)).sources.find(({ source }) => source === 'esplora')!
  const followed = await esploraOf({})
  expect(followed.units).toBe(1_440 + 2 * 144)
  expect(followed.askings.map(({ borne }) => borne)).toEqual([1, 1])
  const polled = await esploraOf({ FOLLOW_NETWORKS: 'none' })
  // Two syncs, 30 addresses of a key and the unused ones at its ends, each 300 seconds, of 17,280 that the pace allows.
  expect(polled.units).toBe(288 * (2 * 5 + 2 * 30 + 40))
  expect(polled.askings[0]!.borne).toBeCloseTo(17_280 / 31_680)
  expect(
    sourcePlanText({ counts: {}, sources: [polled] })
      .split('\n')
      .at(-1),
  ).toBe(
    'esplora bears 1 of 2 (wallets on Bitcoin) each 5 min: all of them are read each 9 min. Fewer wallets or a larger plan keep them fresh.',
  )
})

test('explorers read the histories of followed wallets once, and all wallets again where networks are polled', async () => {
  const routescan = async (env: Record<string, string>) =>
    (await plan(env)).sources
      .find(({ source }) => source === 'routescan')!
      .askings.map(({ what, requests, seconds }) => [what, requests, seconds])
  const history = ['histories of wallets on Ethereum', 30, null]
  expect(await routescan({})).toEqual([history])
  expect(await routescan({ FOLLOW_NETWORKS: 'none' })).toEqual([
    history,
    ['wallets on Ethereum', 288 * 30, 300],
  ])
})

test('people read what it is for, each thing that is read, and what is cut', () => {
  const planned = planSource(limits(1_000), [
    asking({ work: 'heads', requests: 24, units: 600, seconds: 3_600 }),
    asking({ requests: 200, what: 'lists' }),
    asking({ requests: 50, what: 'pasts', work: 'history', seconds: null }),
  ])
  expect(sourcePlanText({ counts: { coins: 1_500, tokens: 0 }, sources: [planned] }).split('\n')).toEqual([
    'For 1,500 coins:',
    'source  asked for  requests  units a day, of       freshness          cut',
    'vendor  rows             24  800 of 1,000 credits  60 min',
    '        lists           200                        20 min             50 %, instead of each 10 min',
    expect.stringMatching(/^ {8}pasts {12}50 {24}once, within 12 h$/),
  ])
})
