import { expect, test } from 'vitest'
import { insightsArea } from '../../activities/insights/area.ts'
import type { SourcePlan } from '../../activities/ingest-config.ts'
import { askedBy } from '../setup/asked-by.ts'

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
