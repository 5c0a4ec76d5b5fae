import { afterAll, beforeAll, expect, test } from 'vitest'
import { failSync, startSync } from '../../db/chain/syncs.ts'
import { openDb } from '../../db/connect.ts'
import { openBook } from '../../db/pnl/books.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { whileUncommitted } from '../setup/while-uncommitted.ts'

const PORTFOLIO = '018f3a3e-0000-7000-8000-000000000001'

const database = await testDatabase()
const { db, pool, close } = openDb({ url: database.ingestUrl, maxConnections: 2, applicationName: 'test' })

beforeAll(() =>
  query(
    database.ownerUrl,
    `insert into portfolios (id, kind, name) values ('${PORTFOLIO}', 'manual', 'Cash')`,
  ),
)
afterAll(close)

const whileMaking = <T>(statement: string, second: () => Promise<T>) =>
  whileUncommitted(database.ownerUrl, statement, second)
const addressOf = (walletId: string) =>
  query(database.ownerUrl, `select address from wallets where id = ${walletId}`)

test('two networks of a new wallet can start their syncs at the same time', async () => {
  const { walletId } = await whileMaking(`insert into wallets (address) values ('0xa1')`, () =>
    startSync(pool, { address: '0xa1', networkId: 'ethereum', headBlock: 7 }),
  )
  expect(await addressOf(walletId)).toEqual([{ address: '0xa1' }])
})

test('a sync can fail while another network inserts its wallet', async () => {
  await whileMaking(`insert into wallets (address) values ('0xa2')`, () =>
    failSync(pool, { address: '0xa2', networkId: 'ethereum', failure: 'the node is away' }),
  )
  const [sync] = await query<{ wallet_id: string }>(
    database.ownerUrl,
    'select wallet_id from wallet_syncs where failure is not null',
  )
  expect(await addressOf(sync!.wallet_id)).toEqual([{ address: '0xa2' }])
})

test('a book that another transaction creates at the same time is used', async () => {
  const [wallet] = await query<{ id: string }>(
    database.ownerUrl,
    `insert into wallets (address) values ('0xa3') returning id`,
  )
  const key = { walletId: wallet!.id, networkId: 'ethereum' }
  const { id } = await whileMaking(
    `insert into books (wallet_id, network_id) values (${wallet!.id}, 'ethereum')`,
    () => openBook(db, key),
  )
  expect(await query(database.ownerUrl, `select wallet_id from books where id = ${id}`)).toEqual([
    { wallet_id: wallet!.id },
  ])
})

test('a change of a manual portfolio is recorded while its book is being created', async () => {
  await whileMaking(`insert into books (portfolio_id) values ('${PORTFOLIO}')`, () =>
    pool.query('select mark_manual_dirty($1, $2)', [PORTFOLIO, '2026-01-01T00:00:00Z']),
  )
  expect(await query(database.ownerUrl, 'select dirty_from from pl_states')).toEqual([
    { dirty_from: new Date('2026-01-01T00:00:00Z') },
  ])
})
