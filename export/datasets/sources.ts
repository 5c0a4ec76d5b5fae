import { bigint, type Dataset, FETCHED_AT, instant, integer, text } from '../dataset.ts'

/** Requests and quarantined rows, which tell how complete the other datasets are. */
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
      hour: instant('Start of the hour'),
      requests: integer('Requests, including retries'),
      failures: integer('Requests without a usable answer'),
    },
  },
  {
    name: 'source_usage',
    family: 'Quality',
    description: 'What was spent of the allowances of sources by day.',
    from: 'source_usage',
    cut: { at: 'day' },
    sort: ['account', 'source', 'work', 'day'],
    columns: {
      account: text('Whose allowance: a source, a vendor of nodes, or the host of a node'),
      source: text('The upstream, or the nodes of a network'),
      work: text(
        'What the requests were for: heads, wallets or history of nodes; waiting, heads, history or refresh of others',
      ),
      day: instant('Start of the day'),
      requests: bigint('Requests; calls of a node'),
      units: bigint('Units as the vendor counts them'),
    },
  },
  {
    name: 'quarantine',
    family: 'Quality',
    description: 'Quarantined rows of upstreams with the reason. Their content stays in the database.',
    from: 'quarantine',
    cut: null,
    sort: ['id'],
    columns: {
      id: bigint('Id of the row'),
      source: text('The upstream'),
      area: text('The data area'),
      reason: text('Why the row is quarantined'),
      fetched_at: FETCHED_AT,
    },
  },
]
