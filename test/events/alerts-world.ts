import { publishBatch } from '../../activities/events/publish-batch.ts'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import { storeQuotes } from '../../db/prices/write-coins.ts'
import { transact } from '../../db/transact.ts'
import { startApi } from '../setup/api.ts'
import type { TestDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'
import { query } from '../setup/query.ts'

interface SeenEvent {
  type: string
  data: Record<string, unknown>
}

/** The API, accounts with alerts, and the publisher. */
export async function startAlertsWorld(database: TestDatabase) {
  const ingest = openDb({ url: database.ingestUrl, maxConnections: 3, applicationName: 'test' })
  const { pool, close } = ingest
  const api = await startApi({ database, routes })
  const ask = <Row extends object>(text: string, values: unknown[] = []) =>
    query<Row>(database.ownerUrl, text, values)
  let coins = 0

  /** A coin of its own with a current price. */
  async function newCoin(priceUsd: string): Promise<string> {
    const id = `coin-${++coins}`
    await insertCoin(api.owner, { id, priceUsd, at: new Date() })
    return id
  }

  /** Writes quotes as the refresh does; `ageMs`: how old the source says that they are. */
  const quote = (prices: Record<string, number | string>, { ageMs = 0 } = {}) =>
    transact(pool, async (transaction) => {
      const fetchedAt = new Date()
      const unknown = {
        volume_24h_usd: null,
        market_cap_usd: null,
        fully_diluted_valuation_usd: null,
        available_supply: null,
        total_supply: null,
        price_change_1h: null,
        price_change_1d: null,
        price_change_1w: null,
        price_change_1m: null,
        all_time_high_usd: null,
        all_time_high_at: null,
        all_time_low_usd: null,
        all_time_low_at: null,
      }
      const rows = Object.entries(prices).map(([coin_id, usd]) => ({
        ...unknown,
        coin_id,
        price_usd: String(usd),
        at: new Date(fetchedAt.getTime() - ageMs),
        source: 'test',
        fetched_at: fetchedAt,
      }))
      await storeQuotes(transaction, rows)
    })

  async function publish(): Promise<void> {
    while ((await publishBatch({ pool })).isMore) continue
  }

  const call = async (key: string, method: string, path: string, body?: unknown, headers = {}) => {
    const response = await api.get(path, key, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    // Answers have many shapes. eslint-disable-next-line typescript/no-explicit-any
    return { status: response.status, body: (await response.json()) as any, headers: response.headers }
  }

  return {
    api,
    ingest,
    pool,
    close,
    ask,
    call,
    newCoin,
    quote,
    publish,
    /** Adds an alert through the API. */
    add: async (key: string, alert: object): Promise<{ id: string; armed: boolean }> => {
      const { status, body } = await call(key, 'POST', '/alerts', alert)
      if (status !== 200) throw new Error(JSON.stringify(body))
      return body
    },
    /** Publishes, and reads what an account is told. */
    told: async (accountId: string): Promise<SeenEvent[]> => {
      await publish()
      const rows = await ask<{ body: string }>(
        'select body from account_events where account_id = $1 and not held order by seq',
        [accountId],
      )
      return rows.map(({ body }) => JSON.parse(body) as SeenEvent)
    },
    /** What an account paid for events of a type. */
    paid: async (accountId: string, type: string): Promise<number> => {
      const [row] = await ask<{ credits: string }>(
        'select coalesce(sum(credits), 0) as credits from ledger_entries where account_id = $1 and endpoint = $2',
        [accountId, type],
      )
      return Number(row!.credits)
    },
    /** An active endpoint that wants these types. */
    newEndpoint: async (accountId: string, types: string[], { all = true } = {}): Promise<string> => {
      const [row] = await ask<{ id: string }>(
        `insert into webhook_endpoints (id, account_id, url, types, state, key_id, wrapped_key, ciphertext)
         values (uuidv7(), $1, 'https://example.com', $2, 'active', '', '', '') returning id`,
        [accountId, types],
      )
      if (all)
        await ask('insert into event_subscriptions (account_id, endpoint_id) values ($1, $2)', [
          accountId,
          row!.id,
        ])
      return row!.id
    },
    /** Types of the events that wait for an endpoint. */
    deliveries: async (endpointId: string): Promise<string[]> =>
      (
        await ask<{ type: string }>(
          `select a.type from deliveries d join account_events a on a.seq = d.seq
           where d.endpoint_id = $1 order by d.seq`,
          [endpointId],
        )
      ).map(({ type }) => type),
  }
}
