import { bigint, type Dataset, FETCHED_AT, instant, integer, text } from '../dataset.ts'

/** How complete the rest is. */
export const sourceDatasets: readonly Dataset[] = [
  {
    name: 'source_hours',
    family: 'Quality',
    description: 'Requests to each upstream by hour.',
    from: 'source_hours',
    cut: { at: 'hour' },
    sort: ['source', 'hour'],
    columns: {
      source: text('The upstream'),
      hour: instant('Its start'),
      requests: integer('Retries included'),
      failures: integer('Those without a usable answer'),
    },
  },
  {
    name: 'quarantine',
    family: 'Quality',
    description: 'Rows of upstreams that were refused, and why; what stood in them stays in the database.',
    from: 'quarantine',
    cut: null,
    sort: ['id'],
    columns: {
      id: bigint('Its id'),
      source: text('The upstream'),
      area: text('The data area'),
      reason: text('What is wrong with it'),
      fetched_at: FETCHED_AT,
    },
  },
]
