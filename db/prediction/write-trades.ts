import { createHash } from 'node:crypto'
import { copyRows, fromRows } from '../copy-rows.ts'
import type { Transaction } from '../transact.ts'
import { decimal, formatDecimal, multiply } from '../values/decimal.ts'

export interface StoredPerson {
  address: string
  name: string | null
  avatarUrl: string | null
}

export interface StoredTrade {
  key: string
  at: Date
  outcome: number
  side: 'buy' | 'sell'
  price: string
  size: string
  trader: StoredPerson | null
  txHash: string | null
  /** two parties agreed on it beside the order book */
  isBlock: boolean
}

const COLUMNS = [
  'market_id',
  'at',
  'id',
  'outcome',
  'side',
  'price',
  'size',
  'value_usd',
  'trader_id',
  'tx_hash',
  'is_block',
  'source',
  'fetched_at',
]

/**
 * Stores fills of a market, some of which may be stored already, with the sums of their days and their
 * traders. `share`: how much of a row counts as volume, 0.5 when a venue reports both sides of a trade.
 * Returns the number of new fills.
 */
export async function storeTrades(
  transaction: Transaction,
  input: {
    marketId: number
    trades: readonly StoredTrade[]
    share: '1' | '0.5'
    source: string
    fetchedAt: Date
  },
): Promise<number> {
  const { marketId, trades, share, source, fetchedAt } = input
  if (trades.length === 0) return 0
  const { client } = transaction
  const people = trades.flatMap(({ trader }) => trader ?? [])
  const traderIds = await storeTraders(transaction, { people, source, fetchedAt })
  const rows = trades.map((row) => [
    marketId,
    row.at,
    uuidOf(row.key),
    row.outcome,
    row.side,
    row.price,
    row.size,
    formatDecimal(multiply(decimal(row.price), decimal(row.size))),
    row.trader && traderIds.get(row.trader.address)!,
    row.txHash,
    row.isBlock,
    source,
    fetchedAt,
  ])
  return fromRows(client, { table: 'prediction_trades', columns: COLUMNS, rows }, async (given) => {
    const [ofShare, ofSource, ofTime] = [1, 2, 3].map((n) => `$${given.values.length + n}`)
    const stored = await client.query<{ fills: number }>(
      `with fresh as (
        insert into prediction_trades (${COLUMNS.join(', ')}) select ${COLUMNS.join(', ')} from ${given.source}
        order by market_id, at, id on conflict do nothing returning *
      ), days as (
        insert into prediction_trade_days as stored (market_id, day, outcome, side, trades, volume_usd, source, fetched_at)
        select market_id, date_trunc('day', at, 'UTC'), outcome, side, count(*), sum(value_usd) * ${ofShare}::numeric, ${ofSource}, ${ofTime}
        from fresh group by 1, 2, 3, 4
        on conflict (market_id, day, outcome, side) do update set
          trades = stored.trades + excluded.trades, volume_usd = stored.volume_usd + excluded.volume_usd, fetched_at = excluded.fetched_at
      ), touched as (
        update prediction_traders set dirty = true where not dirty and id in (select trader_id from fresh)
      ) select count(*)::int as fills from fresh`,
      [...given.values, share, source, fetchedAt],
    )
    return stored.rows[0]!.fills
  })
}

/** Stores accounts by address, with their newest name. Returns their ids. */
export async function storeTraders(
  { client }: Transaction,
  input: { people: readonly StoredPerson[]; source: string; fetchedAt: Date },
): Promise<Map<string, number>> {
  const { people, source, fetchedAt } = input
  const byAddress = new Map(people.map((person) => [person.address, person]))
  await copyRows(client, {
    table: 'prediction_traders',
    columns: ['address', 'name', 'avatar_url', 'source', 'fetched_at'],
    key: ['address'],
    update: ['name', 'avatar_url'],
    stamp: ['source', 'fetched_at'],
    rows: [...byAddress.values()].map(({ address, name, avatarUrl }) => [
      address,
      name,
      avatarUrl,
      source,
      fetchedAt,
    ]),
  })
  const { rows } = await client.query<{ address: string; id: number }>(
    'select address, id from prediction_traders where address = any($1::text[])',
    [[...byAddress.keys()]],
  )
  return new Map(rows.map(({ address, id }) => [address, id]))
}

/** An id of the fill that is the same whenever it is read. */
function uuidOf(key: string): string {
  const hex = createHash('sha256').update(key).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
