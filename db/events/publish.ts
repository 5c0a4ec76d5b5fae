import type pg from 'pg'
import type { AlertType } from './event-types.ts'
import type { ExchangeSyncedPayload, ExchangeTransactionPayload } from './note-exchange-events.ts'
import { EVENT_LIMITS } from './plan-limits.ts'
import type { BalancePayload, SyncedPayload, TransactionPayload } from './note-events.ts'

const PLANS = Object.keys(EVENT_LIMITS)
const RATES = Object.values(EVENT_LIMITS).map(({ perSecond }) => perSecond)

interface Place {
  id: string
  address: string
  connectionId: string
  blockchain: string
  blockNumber: string | null
  txHash: string | null
}

/** What happened, with the names of its wallet and network. */
export type EventSource = Place &
  (
    | { kind: 'wallet.transaction'; payload: TransactionPayload }
    | { kind: 'wallet.balance'; payload: BalancePayload }
    | { kind: 'wallet.synced'; payload: SyncedPayload }
    | { kind: 'exchange.transaction'; payload: ExchangeTransactionPayload }
    | { kind: 'exchange.synced'; payload: ExchangeSyncedPayload }
    // Of an account alone, without a wallet.
    | { kind: AlertType; payload: { data: object } }
    | { kind: 'endpoint.disabled' | 'test.ping'; payload: object }
  )

/** The oldest sources. */
export async function readSources(pool: pg.Pool, input: { limit: number }): Promise<EventSource[]> {
  const { rows } = await pool.query<EventSource>({
    name: 'event_sources',
    text: `select source.id, source.kind, wallet.address, network.id as "connectionId", network.blockchain,
        source.block_number as "blockNumber", source.tx_hash as "txHash", source.payload
      from (select * from event_sources order by id limit $1) as source
      left join wallets as wallet on wallet.id = source.wallet_id
      left join networks as network on network.id = source.network_id
      order by source.id`,
    values: [input.limit],
  })
  return rows
}

/** Current prices in USD, as doubles for display. */
export async function readPrices(
  pool: pg.Pool,
  coinIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await pool.query<{ coin_id: string; price_usd: string }>(
    'select coin_id, price_usd from coin_quotes where coin_id = any($1)',
    [coinIds],
  )
  return new Map(rows.map((row) => [row.coin_id, Number(row.price_usd)]))
}

/** Returns the number of events that the sources became. */
export async function publish(
  pool: pg.Pool,
  sources: readonly { sourceId: string; data: string; credits: number }[],
): Promise<number> {
  const { rows } = await pool.query<{ events: number }>({
    name: 'publish_events',
    text: 'select publish_events($1, $2, $3, $4, $5) as events',
    values: [
      sources.map(({ sourceId }) => sourceId),
      sources.map(({ data }) => data),
      sources.map(({ credits }) => credits),
      PLANS,
      RATES,
    ],
  })
  return rows[0]!.events
}

/** Sends held events of accounts that can pay them, as many as their plans allow now. Returns their number. */
export async function releaseHeldEvents(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ released: number }>({
    name: 'release_held_events',
    text: 'select release_held_events($1, $2) as released',
    values: [PLANS, RATES],
  })
  return rows[0]!.released
}
