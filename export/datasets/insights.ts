import { type Dataset, FETCHED_AT, instant, integer, SOURCE } from '../dataset.ts'

export const insightDatasets: readonly Dataset[] = [
  {
    name: 'fear_greed',
    family: 'Prices',
    description: 'The fear and greed index of a UTC day, by its publisher.',
    from: 'fear_greed',
    cut: null,
    sort: ['source', 'at'],
    columns: {
      source: SOURCE,
      at: instant('Start of the day'),
      value: integer('0: extreme fear, 100: extreme greed'),
      fetched_at: FETCHED_AT,
    },
  },
]
