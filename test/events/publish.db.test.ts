import { afterAll, beforeEach, expect, test } from 'vitest'
import { publishBatch } from '../../activities/events/publish-batch.ts'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import { noteWalletEvents } from '../../db/events/note-events.ts'
import { releaseHeldEvents } from '../../db/events/publish.ts'
import type { PlanId } from '../../db/metering/tables.ts'
import { topUp } from '../../db/metering/write.ts'
import { transact } from '../../db/transact.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'
import { query } from '../setup/query.ts'
import { activateNetworks, address } from '../setup/wallet-factories.ts'
import { networkId, tellWallet } from './watched-wallet.ts'

// From what happened to numbered, charged events of accounts.

const database = await testDatabase()
const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 10, applicationName: 'test' })
const api = await startApi({ database, routes })
afterAll(close)

const AT = new Date('2026-03-10T10:00:00Z')
const WALLET = address(1)
const ask = <T extends object>(sql: string) => query<T>(database.ownerUrl, sql)
await activateNetworks(api.owner, [networkId])
await insertCoin(api.owner, { id: 'ethereum', symbol: 'eth', rank: 2, priceUsd: '2000', at: AT })
const wallet = await tellWallet(pool, { address: WALLET, now: () => AT })
await wallet.derive([{ number: 1, ether: 1n }])
await wallet.complete()
let block = 1

beforeEach(() => ask('truncate event_sources, event_subscriptions, account_events cascade'))

async function watcher(account: { credits?: number; plan?: PlanId; types?: string[] } = {}) {
  const created = await api.newAccount(account)
  await api.owner
    .insertInto('event_subscriptions')
    .values({
      account_id: created.accountId,
      endpoint_id: null,
      wallet_id: wallet.walletId,
      network_id: null,
      types: account.types ?? null,
      expires_at: null,
    })
    .execute()
  return created
}

const happens = (count = 1) =>
  wallet.derive(Array.from({ length: count }, () => ({ number: ++block, ether: 1n })))

async function publishAll(): Promise<void> {
  while ((await publishBatch({ pool })).isMore) continue
}

interface Stored {
  seq: string | null
  type: string
  held: boolean
  body: string
}
const eventsOf = (accountId: string) =>
  ask<Stored>(
    `select seq, type, held, body from account_events where account_id = '${accountId}' order by seq nulls last, created_at, id`,
  )
const typesOf = async (accountId: string) => (await eventsOf(accountId)).map(({ type }) => type)
const spentBy = async (accountId: string) =>
  (
    await ask<{ credits: string }>(
      `select coalesce(sum(credits), 0) as credits from ledger_entries where account_id = '${accountId}'`,
    )
  )[0]!.credits

test('an event is an envelope around the bytes that GET /wallet/transactions answers', async () => {
  const { accountId, key } = await watcher({ types: ['wallet.transaction'] })
  await happens()
  await publishAll()
  const [event, ...more] = await eventsOf(accountId)
  expect(more).toEqual([])
  const answer = await api.get(
    `/wallet/transactions?address=${WALLET}&connectionId=${networkId}&limit=1`,
    key,
  )
  const [, item] = /"result":\[(.*)\]\}$/.exec(await answer.text())!
  const { body, seq } = event!
  expect(body).toMatch(
    /^\{"id":"evt_[0-9a-f]{32}","type":"wallet.transaction","timestamp":"[-0-9T:.]{23}Z","seq":"\d+","data":\{/,
  )
  expect(body.endsWith(`"transaction":${item}}}`)).toBe(true)
  const parsed = JSON.parse(body) as Record<string, unknown>
  expect(parsed).toMatchObject({
    seq,
    data: {
      address: WALLET,
      connectionId: networkId,
      blockchain: 'ethereum',
      status: 'unconfirmed',
      late: false,
    },
  })
})

test('a changed balance is an event with exact amounts and the current price', async () => {
  const { accountId } = await watcher({ types: ['wallet.balance'] })
  await happens()
  await publishAll()
  const { data } = JSON.parse((await eventsOf(accountId))[0]!.body) as { data: object }
  expect(data).toMatchObject({
    coinId: 'ethereum',
    amount: String(block),
    previousAmount: String(block - 1),
    priceUsd: 2000,
    blockNumber: block,
  })
})

test('case 48 two accounts that watch one wallet get an event of their own each and pay each', async () => {
  const [one, two] = [await watcher(), await watcher({ types: ['wallet.balance'] })]
  await happens()
  await publishAll()
  expect(await typesOf(one.accountId)).toEqual(['wallet.transaction', 'wallet.balance'])
  expect(await typesOf(two.accountId)).toEqual(['wallet.balance'])
  expect([await spentBy(one.accountId), await spentBy(two.accountId)]).toEqual(['6', '1'])
  const ids = await ask<{ n: string }>('select count(distinct (id, seq)) as n from account_events')
  expect(ids).toEqual([{ n: '3' }])
})

test('spam is no event', async () => {
  const { accountId } = await watcher({ types: ['wallet.transaction'] })
  await happens()
  await ask(`update event_sources set payload = jsonb_set(payload, '{identified}', 'false')`)
  await publishAll()
  expect(await eventsOf(accountId)).toEqual([])
})

test('case 45 what an account cannot pay is held, and sent in order when credits return', async () => {
  const { accountId } = await watcher({ credits: 12, types: ['wallet.transaction'] })
  const rich = await watcher({ types: ['wallet.transaction'] })
  await happens(3)
  await publishAll()
  await happens(2)
  await publishAll()
  expect((await eventsOf(accountId)).map(({ held }) => held)).toEqual([false, false, true, true, true])
  expect((await eventsOf(rich.accountId)).map(({ held }) => held)).toEqual(Array(5).fill(false))
  expect(await spentBy(accountId)).toBe('10')
  // Without credits nothing is released, however often it is tried.
  expect(await releaseHeldEvents(pool)).toBe(0)
  await topUp(api.owner, { id: 'more', accountId, credits: 10n })
  expect(await releaseHeldEvents(pool)).toBe(2)
  const after = await eventsOf(accountId)
  expect(after.map(({ held }) => held)).toEqual([false, false, false, false, true])
  expect(await spentBy(accountId)).toBe('20')
  const told = after
    .filter(({ held }) => !held)
    .map(({ body }) => JSON.parse(body) as { seq: string; data: { blockNumber: number } })
  expect(told.map(({ seq }) => seq)).toEqual(after.flatMap(({ seq }) => seq ?? []))
  expect(told.map(({ data }) => data.blockNumber)).toEqual([block - 4, block - 3, block - 2, block - 1])
  // The last one waits for two credits more, and later ones wait behind it.
  await topUp(api.owner, { id: 'still-more', accountId, credits: 100n })
  await happens()
  await publishAll()
  expect((await eventsOf(accountId)).filter(({ held }) => held)).toHaveLength(2)
  expect(await releaseHeldEvents(pool)).toBe(2)
})

test('later states of a transaction are free, and wait behind it while it is held', async () => {
  const { accountId } = await watcher({ credits: 5, types: ['wallet.transaction'] })
  await happens(2)
  await transact(pool, ({ client }) =>
    client.query(
      `insert into event_sources (kind, wallet_id, network_id, block_number, tx_hash, payload)
       select kind, wallet_id, network_id, block_number, tx_hash,
         payload || '{"first": false, "status": "confirmed"}' from event_sources order by id`,
    ),
  )
  await publishAll()
  expect((await eventsOf(accountId)).map(({ held }) => held)).toEqual([false, true, true, true])
  await topUp(api.owner, { id: 'for-one', accountId, credits: 5n })
  expect(await releaseHeldEvents(pool)).toBe(3)
  expect(await spentBy(accountId)).toBe('10')
})

test('more events than the plan has for a second wait, and are sent in order as it allows', async () => {
  const { accountId } = await watcher({ plan: 'free', types: ['wallet.transaction'] })
  const other = await watcher({ plan: 'pro', types: ['wallet.transaction'] })
  /** Moves what is known of rates to the past. */
  const pass = (seconds: number) => ask(`update event_rates set at = at - interval '${seconds} seconds'`)
  const sent = async (account: string) => (await eventsOf(account)).filter(({ held }) => !held)
  await happens(8)
  await publishAll()
  expect(await sent(accountId)).toHaveLength(5)
  expect(await sent(other.accountId)).toHaveLength(8)
  expect(await spentBy(accountId)).toBe('25')
  expect(await releaseHeldEvents(pool)).toBe(0)
  await pass(0.5)
  expect(await releaseHeldEvents(pool)).toBe(2)
  // What comes meanwhile waits behind what waits, also after a long pause.
  await pass(3_600)
  await happens(6)
  await publishAll()
  expect(await sent(accountId)).toHaveLength(7)
  expect(await releaseHeldEvents(pool)).toBe(5)
  await pass(1)
  expect(await releaseHeldEvents(pool)).toBe(2)
  const [mine, theirs] = [await sent(accountId), await sent(other.accountId)]
  const blocks = (events: Stored[]) =>
    events.map(({ body }) => (JSON.parse(body) as { data: { blockNumber: number } }).data.blockNumber)
  expect(blocks(mine)).toEqual(blocks(theirs))
  expect(await spentBy(accountId)).toBe('70')
})

test('case 40 a reader of later numbers misses nothing while eight writers publish', async () => {
  const { accountId } = await watcher({ plan: 'enterprise', types: ['wallet.balance'] })
  const read: string[] = []
  let after = '0'
  async function readMore(): Promise<void> {
    const rows = await ask<{ seq: string }>(
      `select seq from account_events where account_id = '${accountId}' and seq > ${after} order by seq`,
    )
    read.push(...rows.map(({ seq }) => seq))
    after = rows.at(-1)?.seq ?? after
  }
  const note = (n: number) => ({
    walletId: wallet.walletId,
    kind: 'wallet.balance' as const,
    blockNumber: n,
    txHash: null,
    payload: { coinId: 'ethereum', amount: String(n), previousAmount: '0' },
  })
  async function write(writer: number): Promise<void> {
    for (let i = 0; i < 10; i++) {
      const events = [note(writer * 100 + i)]
      await transact(pool, ({ client }) => noteWalletEvents(client, { networkId, events }))
      await publishBatch({ pool })
    }
  }
  let isWriting = true
  const reading = (async () => {
    while (isWriting) await readMore()
  })()
  await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)))
  isWriting = false
  await reading
  await publishAll()
  await readMore()
  expect(read).toHaveLength(80)
  expect(read).toEqual((await eventsOf(accountId)).map(({ seq }) => seq))
  expect(await spentBy(accountId)).toBe('80')
})

test('a body is at most 20 kB: longer lists are cut and say where the rest is', async () => {
  const { accountId } = await watcher({ types: ['wallet.transaction'] })
  await happens()
  const [{ fragment }] = (await ask<{ fragment: string }>(
    `select payload #>> '{row,fragment}' as fragment from event_sources where kind = 'wallet.transaction'`,
  )) as [{ fragment: string }]
  const item = JSON.parse(fragment) as { transactions: { items: object[] }[] }
  const [group] = item.transactions
  group!.items = Array.from({ length: 1_000 }, () => group!.items[0]!)
  await pool.query(
    `update event_sources set payload = jsonb_set(payload, '{row,fragment}', to_jsonb($1::text))`,
    [JSON.stringify(item)],
  )
  await publishAll()
  const { body } = (await eventsOf(accountId))[0]!
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(20_000)
  const { data } = JSON.parse(body) as { data: { url: string; truncated: boolean; transaction: typeof item } }
  expect(data).toMatchObject({ truncated: true, transaction: { transactions: [{ action: 'Received' }] } })
  expect(data.transaction.transactions[0]!.items.length).toBeGreaterThan(10)
  const { key } = await api.newAccount()
  const rest = await api.get(data.url.replace('/v1', ''), key)
  expect(((await rest.json()) as { result: object[] }).result).toHaveLength(1)
})

test('case 49 the events of an account are deleted with it, those of others stay', async () => {
  const [gone, stays] = [await watcher(), await watcher()]
  const endpoint = '00000000-0000-7000-8000-000000000001'
  await ask(`insert into webhook_endpoints (id, account_id, url, types, state, key_id, wrapped_key, ciphertext)
    values ('${endpoint}', '${gone.accountId}', 'https://example.com', '{wallet.transaction}', 'active', '', '', '')`)
  await ask(`insert into event_subscriptions (account_id, endpoint_id, wallet_id)
    values ('${gone.accountId}', '${endpoint}', ${wallet.walletId})`)
  await happens()
  await publishAll()
  const open = 'select endpoint_id, seq from deliveries'
  const [event] = await eventsOf(gone.accountId)
  expect(await ask(open)).toEqual([{ endpoint_id: endpoint, seq: event!.seq }])
  await happens()
  for (const table of ['api_keys', 'usage_days', 'credit_periods'])
    await ask(`delete from ${table} where account_id = '${gone.accountId}'`)
  await ask(`delete from accounts where id = '${gone.accountId}'`)
  await publishAll()
  expect(await ask(open)).toEqual([])
  expect(await eventsOf(gone.accountId)).toEqual([])
  expect(await eventsOf(stays.accountId)).toHaveLength(4)
})
