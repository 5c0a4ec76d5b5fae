import { type Dataset, FETCHED_AT, instant, integer, SOURCE } from '../dataset.ts'

export const insightDatasets: readonly Dataset[] = [
  {
    name: 'fear_greed',
    family: 'Prices',
    description: 'The fear and greed index per UTC day and publisher.',
    from: 'fear_greed',
    cut: null,
    sort: ['source', 'occurred_at'],
    columns: {
      source: SOURCE,
      occurred_at: instant('Start of the UTC day', 'at'),
      value: integer('Index value, 0 is extreme fear and 100 is extreme greed'),
      fetched_at: FETCHED_AT,
    },
  },
]
