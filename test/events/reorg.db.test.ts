import { afterAll, beforeEach, expect, test } from 'vitest'
import { publishBatch } from '../../activities/events/publish-batch.ts'
import { openDb } from '../../db/connect.ts'
import { createAccount } from '../../db/metering/write.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { address } from '../setup/wallet-factories.ts'
import { tellWallet, transactionHash } from './watched-wallet.ts'

// Transactions that a reorg takes, and that come again.

const database = await testDatabase()
const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 2, applicationName: 'test' })
const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
afterAll(() => Promise.all([close(), owner.close()]))
const ask = <T extends object>(sql: string) => query<T>(database.ownerUrl, sql)

let wallets = 0
let wallet: Awaited<ReturnType<typeof tellWallet>>
let accountId: string

beforeEach(async () => {
  await ask(
    'truncate account_events, event_sources, event_subscriptions, unconfirmed_transactions, blocks, transactions, transfers cascade',
  )
  wallet = await tellWallet(pool, { address: address(++wallets), now: () => new Date() })
  await wallet.derive([{ number: 1, ether: 1n }])
  await wallet.complete()
  ;({ accountId } = await createAccount(owner.db, { name: 'test', plan: 'starter' }))
})
const watch = () =>
  ask(`insert into event_subscriptions (account_id, wallet_id, types)
    values ('${accountId}', ${wallet.walletId}, '{wallet.transaction}')`)

async function told() {
  while ((await publishBatch({ pool })).isMore) continue
  const rows = await ask<{ body: string; credits: number }>(
    'select body, credits from account_events order by seq',
  )
  return rows.map(({ body, credits }) => {
    const { data } = JSON.parse(body) as {
      data: { status: string; blockNumber: number; transaction: object }
    }
    return { credits, status: data.status, block: data.blockNumber, transaction: data.transaction }
  })
}

test('a reorg is told of each transaction that it takes, with the transaction; its return is free', async () => {
  await watch()
  await wallet.derive([{ number: 2, ether: 1n }])
  const [first] = await told()
  await wallet.rewindTo(1)
  expect(await told()).toMatchObject([
    { status: 'unconfirmed', block: 2, credits: 5 },
    { status: 'reorged', block: 2, credits: 0, transaction: first!.transaction },
  ])
  await wallet.derive([{ number: 2, ether: 1n }])
  expect((await told()).slice(2)).toMatchObject([
    { status: 'unconfirmed', block: 2, credits: 0, transaction: { hash: { id: transactionHash(2) } } },
  ])
})

test('a reorg is told to those who were told of the transaction, and its return costs each of them once', async () => {
  await watch()
  await wallet.derive([{ number: 2, ether: 1n }])
  await told()
  const first = accountId
  ;({ accountId } = await createAccount(owner.db, { name: 'later', plan: 'starter' }))
  await watch()
  await wallet.rewindTo(1)
  await wallet.derive([{ number: 2, ether: 1n }])
  await told()
  const rows = await ask<{ mine: boolean; status: string; credits: number }>(
    `select account_id = '${first}' as mine, body::jsonb #>> '{data,status}' as status, credits
     from account_events order by seq`,
  )
  expect(rows.filter(({ mine }) => mine).map(({ status, credits }) => [status, credits])).toEqual([
    ['unconfirmed', 5],
    ['reorged', 0],
    ['unconfirmed', 0],
  ])
  expect(rows.filter(({ mine }) => !mine).map(({ status, credits }) => [status, credits])).toEqual([
    ['unconfirmed', 5],
  ])
})

test('a reorg of a wallet that nobody watches is told to nobody', async () => {
  await wallet.derive([{ number: 2, ether: 1n }])
  await wallet.rewindTo(1)
  expect(await ask('select 1 from event_sources')).toEqual([])
  expect(await ask('select 1 from unconfirmed_transactions')).toEqual([])
})
