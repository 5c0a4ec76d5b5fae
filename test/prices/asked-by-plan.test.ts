import { expect, test } from 'vitest'
import { pricesArea } from '../../activities/prices/area.ts'
import type { SourcePlan } from '../../activities/ingest-config.ts'
import { askedBy } from '../setup/asked-by.ts'

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
