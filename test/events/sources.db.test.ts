import { afterAll, beforeEach, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { createAccount } from '../../db/metering/write.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { address } from '../setup/wallet-factories.ts'
import { networkId, tellWallet, transactionHash } from './watched-wallet.ts'

// What is noted when a sync derives rows, and for whom.

const database = await testDatabase()
const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 2, applicationName: 'test' })
const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
afterAll(() => Promise.all([close(), owner.close()]))

const AT = new Date('2026-03-10T10:00:00Z')
const now = () => AT
const { accountId } = await createAccount(owner.db, { name: 'test', plan: 'starter' })
let wallets = 0
let wallet: Awaited<ReturnType<typeof tellWallet>>

beforeEach(async () => {
  await query(
    database.ownerUrl,
    'truncate event_sources, event_subscriptions, portfolios, blocks, transactions, transfers cascade',
  )
  wallet = await tellWallet(pool, { address: address(++wallets), now })
})

async function watch(row: { walletId?: string; expiresAt?: Date } = { walletId: wallet.walletId }) {
  await owner.db
    .insertInto('event_subscriptions')
    .values({
      account_id: accountId,
      endpoint_id: null,
      wallet_id: row.walletId ?? null,
      network_id: null,
      types: null,
      expires_at: row.expiresAt ?? null,
    })
    .execute()
}

const noted = () =>
  query<{
    kind: string
    block_number: string | null
    tx_hash: string | null
    payload: Record<string, unknown>
  }>(database.ownerUrl, 'select kind, block_number, tx_hash, payload from event_sources order by id')
const kinds = async () => (await noted()).map(({ kind }) => kind)

async function syncFirst() {
  await wallet.derive([{ number: 1, ether: 1n, at: new Date(AT.getTime() - 24 * 3_600_000) }])
  await wallet.complete()
}

test('a wallet that nobody watches costs no row', async () => {
  await syncFirst()
  await wallet.derive([{ number: 2, ether: 1n }])
  await wallet.complete()
  expect(await noted()).toEqual([])
})

test('the history of a first sync is no event; its end is', async () => {
  await watch()
  await syncFirst()
  expect(await noted()).toEqual([
    { kind: 'wallet.synced', block_number: null, tx_hash: null, payload: { transactions: 1 } },
  ])
})

test('a transaction that a later sync finds is noted once, with the balance that it changed', async () => {
  await syncFirst()
  await watch()
  await wallet.derive([{ number: 2, ether: 3n }])
  await wallet.complete()
  const [transaction, balance, ...more] = await noted()
  expect(more).toEqual([])
  expect(transaction).toMatchObject({
    kind: 'wallet.transaction',
    block_number: '2',
    tx_hash: transactionHash(2),
    payload: { status: 'unconfirmed', late: false, identified: true, row: { main: { count: '3' } } },
  })
  expect(balance).toMatchObject({
    kind: 'wallet.balance',
    payload: { coinId: 'ethereum', amount: '4', previousAmount: '1' },
  })
})

test('rows that are derived once more are no news, rows that came late below them are', async () => {
  await syncFirst()
  await watch()
  await wallet.derive([{ number: 5, ether: 1n }])
  await query(database.ownerUrl, 'truncate event_sources')
  await query(
    database.ownerUrl,
    `update wallet_syncs set normalised_block = 1 where wallet_id = ${wallet.walletId}`,
  )
  await wallet.renormalise()
  await query(database.ownerUrl, 'update wallet_syncs set normalised_version = 0')
  await wallet.renormalise()
  expect(await noted()).toEqual([])
})

test('an old transaction is marked as late, and one beyond reorgs as confirmed', async () => {
  await syncFirst()
  await watch()
  await wallet.derive([
    { number: 2, ether: 1n, at: new Date(AT.getTime() - 2 * 3_600_000) },
    { number: 900, ether: 1n },
  ])
  expect((await noted()).map(({ payload }) => [payload.status, payload.late])).toEqual([
    ['confirmed', true],
    ['unconfirmed', false],
    [undefined, undefined],
  ])
})

test('"all" covers the wallets among the portfolios of the account, also those added later', async () => {
  await watch({})
  await syncFirst()
  expect(await kinds()).toEqual([])
  await query(
    database.ownerUrl,
    `insert into portfolios (id, account_id, kind, address, network_id)
     values (uuidv7(), '${accountId}', 'wallet', '${address(wallets)}', '${networkId}')`,
  )
  await wallet.derive([{ number: 2, ether: 1n }])
  expect(await kinds()).toEqual(['wallet.transaction', 'wallet.balance'])
})

test('an expired subscription watches nothing', async () => {
  await syncFirst()
  await watch({ walletId: wallet.walletId, expiresAt: new Date(Date.now() - 1_000) })
  await wallet.derive([{ number: 2, ether: 1n }])
  expect(await noted()).toEqual([])
})

test('the end of a later sync is told only to those who asked for it', async () => {
  await watch()
  await syncFirst()
  await query(database.ownerUrl, 'truncate event_sources')
  await wallet.complete()
  expect(await noted()).toEqual([])
  await query(
    database.ownerUrl,
    `insert into outbox (workflow, workflow_id, input) values ('syncWallet', 'sync:${address(wallets)}:${networkId}', '{}')`,
  )
  await wallet.complete()
  expect(await kinds()).toEqual(['wallet.synced'])
})
