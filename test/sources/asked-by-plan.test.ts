import { expect, test } from 'vitest'
import type { AreaSpec } from '../../activities/area.ts'
import { exchangesArea } from '../../activities/exchanges/area.ts'
import type { SourcePlan } from '../../activities/ingest-config.ts'
import { insightsArea } from '../../activities/insights/area.ts'
import { nftArea } from '../../activities/nft/area.ts'
import { pricesArea } from '../../activities/prices/area.ts'
import { riskArea } from '../../activities/risk/area.ts'
import { tickersArea } from '../../activities/tickers/area.ts'

// What areas ask before they have stored anything, by the plans of their sources. Others are off.

/** Requests of one run by what they read, as `source what`. */
async function askedBy(area: AreaSpec, plans: Record<string, SourcePlan>): Promise<Record<string, number>> {
  const requests = await area.requests!()
  const { askings } = await requests(null, {
    planOf: (name) => plans[name] ?? null,
    isFollowed: () => false,
    nodeOf: () => null,
    schedule: (id) => area.schedules.find((one) => one.id === id)!,
  })
  return Object.fromEntries(
    askings.map(({ source, what, requests: aDay, seconds }) => [
      `${source} ${what}`,
      Number(((aDay * (seconds ?? 86_400)) / 86_400).toFixed(6)),
    ]),
  )
}

test('fear and greed are asked of the first source that is on, and past totals only under a paid plan', async () => {
  const asked = (plans: Record<string, SourcePlan>) => askedBy(insightsArea, plans)
  expect(await asked({ 'alternative-me': 'full', coinmarketcap: 'full', coingecko: 'full' })).toEqual({
    'alternative-me fear and greed': 1,
    'coingecko past market totals': 2,
  })
  expect(await asked({ coinmarketcap: 'full', coingecko: 'free' })).toEqual({
    'coinmarketcap fear and greed': 1,
  })
  expect(await asked({})).toEqual({})
})

test('markets of exchanges are asked only with a key of CoinGecko, which names them', async () => {
  const volumes = { 'coinpaprika volumes of exchanges': 1 }
  expect(await askedBy(tickersArea, {})).toEqual(volumes)
  expect(await askedBy(tickersArea, { coingecko: 'keyless' })).toEqual(volumes)
  expect(await askedBy(tickersArea, { coingecko: 'free' })).toEqual({
    ...volumes,
    'coingecko volumes of exchanges': 1,
    'coingecko markets of exchanges': 10,
    'binance-klines hours of markets': 30,
  })
})

test('without a key GoPlus is asked for each token, with one for a batch of them', async () => {
  expect(await askedBy(riskArea, { goplus: 'keyless' })).toEqual({
    'goplus risks of tokens': 500,
    'rugcheck risks of tokens': 20,
  })
  expect(await askedBy(riskArea, { goplus: 'full' })).toMatchObject({ 'goplus risks of tokens': 20 })
})

test('quotes come from the sources of coins that are on, and from DefiLlama if there are none', async () => {
  const quotes = async (plans: Record<string, SourcePlan>) =>
    Object.keys(await askedBy(pricesArea, plans)).filter((one) => / quotes$| market totals$/.test(one))
  expect(await quotes({})).toEqual(['defillama quotes', 'coingecko market totals'])
  expect(await quotes({ coingecko: 'keyless' })).toEqual(['defillama quotes', 'coingecko market totals'])
  expect(await quotes({ coinpaprika: 'keyless' })).toEqual([
    'coinpaprika quotes',
    'coinpaprika market totals',
  ])
  expect(await quotes({ coingecko: 'keyless', coinpaprika: 'keyless' })).toEqual([
    'coinpaprika quotes',
    'coinpaprika market totals',
  ])
  for (const coingecko of ['free', 'full'] as const)
    expect(await quotes({ coingecko, coinpaprika: 'keyless' })).toEqual([
      'coingecko quotes',
      'coinpaprika quotes',
      'coingecko market totals',
    ])
})

test('rates of currencies are asked of the first source that is on', async () => {
  const rates = async (...on: string[]) =>
    Object.keys(await askedBy(pricesArea, Object.fromEntries(on.map((name) => [name, 'full'])))).filter(
      (one) => one.endsWith('rates of currencies'),
    )
  expect(await rates('eurofxref', 'ecb', 'frankfurter')).toEqual(['frankfurter rates of currencies'])
  expect(await rates('eurofxref', 'ecb')).toEqual(['ecb rates of currencies'])
  expect(await rates('eurofxref')).toEqual(['eurofxref rates of currencies'])
  expect(await rates()).toEqual([])
})

test('accounts at an exchange that is off ask nothing; each other one reads its balances and lists', async () => {
  const asked = await askedBy(exchangesArea, { kraken: 'full', okx: 'full' })
  // One account: its balances, and the ends of two lists. The markets are those of all accounts.
  expect(asked).toEqual({ 'kraken accounts at Kraken': 3, 'kraken markets': 3 })
})

test('NFTs are asked of the marketplace, else of Alchemy; those of Solana of its node', async () => {
  const asked = async (...on: string[]) => [
    ...new Set(
      Object.keys(await askedBy(nftArea, Object.fromEntries(on.map((name) => [name, 'free'])))).map(
        (one) => one.split(' ')[0],
      ),
    ),
  ]
  expect(await asked('opensea', 'alchemy-nft')).toEqual(['opensea'])
  expect(await asked('alchemy-nft')).toEqual(['alchemy-nft'])
  expect(await asked('solana', 'coingecko')).toEqual(['solana', 'coingecko'])
  expect(await asked()).toEqual([])
  const floors = 'coingecko floor prices of past days'
  expect(await askedBy(nftArea, { coingecko: 'full' })).toHaveProperty([floors])
  expect(await askedBy(nftArea, { coingecko: 'free' })).not.toHaveProperty([floors])
})
