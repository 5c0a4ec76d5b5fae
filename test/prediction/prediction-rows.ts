import { query } from '../setup/query.ts'

type Row = Readonly<Record<string, any>>

/** Columns that rows of a table need, where a test says nothing of them. */
const DEFAULTS: Readonly<Record<string, (row: Row) => Row>> = {
  prediction_events: ({ id }) => ({
    slug: `event-${id}`,
    venue_event_id: `event-${id}`,
    title: `Event ${id}`,
    url: 'https://venue.example',
    status: 'open',
    mutually_exclusive: false,
    created_at: 'now',
    updated_at: 'now',
  }),
  prediction_markets: ({ id }) => ({
    slug: `market-${id}`,
    venue_market_id: `market-${id}`,
    question: `Market ${id}`,
    url: 'https://venue.example',
    status: 'open',
    created_at: 'now',
    updated_at: 'now',
  }),
  prediction_outcomes: ({ market_id, position }) => ({
    venue_outcome_id: `${market_id}-${position}`,
  }),
  prediction_tags: ({ slug }) => ({ label: slug }),
  prediction_traders: () => ({ dirty: false }),
  prediction_positions: () => ({
    outcome: 0,
    shares: 0,
    cost_usd: 0,
    bought_shares: 0,
    bought_usd: 0,
    realized_usd: 0,
    status: 'open',
    opened_at: 'now',
  }),
}
/** They have neither a source nor the time of its answer. */
const UNSTAMPED = [
  'prediction_counts',
  'prediction_trade_states',
  'prediction_failures',
  'prediction_cursors',
]

/** Inserts rows by the names of their columns. */
export async function insertRows(
  { ownerUrl }: { ownerUrl: string },
  table: string,
  rows: readonly Row[],
): Promise<void> {
  const stamp = UNSTAMPED.includes(table) ? {} : { source: 'test', fetched_at: 'now' }
  for (const given of rows) {
    const row = { ...stamp, ...DEFAULTS[table]?.(given), ...given }
    const columns = Object.keys(row).join(', ')
    await query(
      ownerUrl,
      `insert into ${table} (${columns}) overriding system value
       select ${columns} from jsonb_populate_record(null::${table}, $1::jsonb)`,
      [JSON.stringify(row)],
    )
  }
}

/** Inserts the outcomes of a market by their names, with their prices. */
export const insertOutcomes = (
  database: { ownerUrl: string },
  marketId: number,
  prices: Readonly<Record<string, number>>,
): Promise<void> =>
  insertRows(
    database,
    'prediction_outcomes',
    Object.entries(prices).map(([name, price], position) => ({ market_id: marketId, position, name, price })),
  )

/** Rows as JSON, in their order: numbers as numbers, and instants as text. */
export async function readRows(
  { ownerUrl }: { ownerUrl: string },
  text: string,
): Promise<Record<string, any>[]> {
  const rows = await query<{ row: Record<string, any> }>(
    ownerUrl,
    `select to_jsonb(r) as row from (${text}) r`,
  )
  return rows.map(({ row }) => row)
}
