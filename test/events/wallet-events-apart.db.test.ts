import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { noteConfirmed, noteReorged, noteUnconfirmed, readWatches } from '../../db/events/note-events.ts'
import { createAccount } from '../../db/metering/write.ts'
import { transact } from '../../db/transact.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { insertTransactions, insertWallet } from '../setup/wallet-factories.ts'

// What becomes of the transactions of one wallet on one network, beside those of others.

const database = await testDatabase()
const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
const ingest = openDb({ url: database.ingestUrl, maxConnections: 1, applicationName: 'test' })
afterAll(() => Promise.all([owner.close(), ingest.close()]))
const ask = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)

const AT = new Date('2026-03-10T10:00:00Z')
const NETWORKS = ['ethereum', 'base-wallet'] as const
let [account, one, two, idle] = ['', '', '', '']
const nameOf = (wallet: string) => (wallet === one ? 'one' : wallet === two ? 'two' : 'idle')

beforeAll(async () => {
  account = (await createAccount(owner.db, { name: 'Ann', plan: 'pro' })).accountId
  await ask(`update networks set in_all = id = 'ethereum'`)
  const syncs = { ethereum: AT, 'base-wallet': AT }
  one = await insertWallet(owner.db, { address: '0x1', syncs })
  two = await insertWallet(owner.db, { address: '0x2', syncs })
  idle = await insertWallet(owner.db, { address: '0x3', syncs: { ethereum: null, 'base-wallet': AT } })
  for (const walletId of [one, two, idle])
    await insertTransactions(owner.db, {
      walletId,
      transactions: NETWORKS.flatMap((networkId) =>
        [7, 8, 9].map((block) => ({
          networkId,
          at: new Date(AT.getTime() + block),
          hash: `0x${block}`,
          main: { coinId: 'ethereum', symbol: 'ETH', count: '1', valueUsd: '5' },
        })),
      ),
    })
  // Another one of a block, which was confirmed at once.
  await insertTransactions(owner.db, {
    walletId: one,
    transactions: [{ networkId: 'ethereum', at: new Date(AT.getTime() + 7), hash: '0xother7', txIndex: 1 }],
  })
  await ask(`update wallet_transactions set block_number = right(hash, 1)::bigint`)
})

const watch = (wallet: string, network: string | null = null) =>
  ask('insert into event_subscriptions (account_id, wallet_id, network_id) values ($1, $2, $3)', [
    account,
    wallet,
    network,
  ])
/** Each wallet has an unconfirmed transaction in each of the blocks 7 to 9 of each network. */
beforeEach(async () => {
  await ask('truncate event_sources, event_subscriptions, unconfirmed_transactions')
  for (const networkId of NETWORKS)
    await transact(ingest.pool, ({ client }) =>
      noteUnconfirmed(client, {
        networkId,
        transactions: [one, two, idle].flatMap((walletId) =>
          [7, 8, 9].map((blockNumber) => ({
            walletId,
            hash: `0x${blockNumber}`,
            blockNumber,
            late: blockNumber === 8,
          })),
        ),
      }),
    )
})

const lines = async (table: string, rest = '') =>
  (
    await ask<{ wallet: string; line: string }>(
      `select wallet_id::text as wallet, concat_ws(' ', network_id, block_number ${rest}) as line from ${table}`,
    )
  )
    .map(({ wallet, line }) => `${nameOf(wallet)} ${line}`)
    .toSorted((a, b) => a.localeCompare(b))
const unconfirmed = () => lines('unconfirmed_transactions')
const told = () => lines('event_sources', `, payload->>'status', payload->>'late'`)
const confirm = (input: { settledBlock: number; walletId: string | null }) =>
  transact(ingest.pool, ({ client }) => noteConfirmed(client, { networkId: 'ethereum', ...input }))

test('settled blocks confirm what is in them, of one wallet or of all of the network', async () => {
  for (const wallet of [one, two]) await watch(wallet)
  const all = await unconfirmed()
  const without = (gone: RegExp) => all.filter((line) => !gone.test(line))
  await confirm({ settledBlock: 8, walletId: one })
  expect(await unconfirmed()).toEqual(without(/^one ethereum [78]$/))
  expect(await told()).toEqual(['one ethereum 7 confirmed false', 'one ethereum 8 confirmed true'])
  await confirm({ settledBlock: 7, walletId: null })
  expect(await unconfirmed()).toEqual(without(/^one ethereum [78]$|ethereum 7$/))
  // Nobody watches the third one.
  expect(await told()).toEqual([
    'one ethereum 7 confirmed false',
    'one ethereum 8 confirmed true',
    'two ethereum 7 confirmed false',
  ])
})

test('a reorg takes what is above its block, on its network', async () => {
  await watch(one)
  await watch(two, 'base-wallet')
  const all = await unconfirmed()
  await transact(ingest.pool, ({ client }) => noteReorged(client, { networkId: 'ethereum', block: 7 }))
  expect(await unconfirmed()).toEqual(all.filter((line) => !/ethereum [89]$/.test(line)))
  expect(await told()).toEqual(['one ethereum 8 reorged true', 'one ethereum 9 reorged false'])
})

test('"all networks" are those that an operator counts among them, and others are watched by their name', async () => {
  await watch(one)
  await watch(two, 'base-wallet')
  const end = (networkId: string) =>
    transact(ingest.pool, ({ client }) =>
      noteConfirmed(client, { networkId, settledBlock: 7, walletId: null }),
    )
  for (const network of NETWORKS) await end(network)
  expect(await told()).toEqual(['one ethereum 7 confirmed false', 'two base-wallet 7 confirmed false'])
})

test('a transaction that moved to another block waits there', async () => {
  await transact(ingest.pool, ({ client }) =>
    noteUnconfirmed(client, {
      networkId: 'ethereum',
      transactions: [{ walletId: one, hash: '0x7', blockNumber: 10, late: true }],
    }),
  )
  await transact(ingest.pool, ({ client }) =>
    noteUnconfirmed(client, { networkId: 'ethereum', transactions: [] }),
  )
  const found = await lines('unconfirmed_transactions', ', tx_hash, late')
  expect(found.filter((line) => line.endsWith('0x7 t'))).toEqual(['one ethereum 10 0x7 t'])
  expect(found).toHaveLength(18)
})

test('it is news what happens to wallets that are watched and whose history is complete, on the network asked for', async () => {
  const news = async (networkId: string, ...walletIds: string[]) =>
    transact(ingest.pool, async ({ client }) =>
      [...(await readWatches(client, { networkId, walletIds })).keys()]
        .map(nameOf)
        .toSorted((a, b) => a.localeCompare(b)),
    )
  expect(await news('ethereum', one, two, idle)).toEqual([])
  await watch(one)
  await watch(two, 'base-wallet')
  await watch(idle)
  await watch(idle, 'base-wallet')
  expect(await news('ethereum', one, two, idle)).toEqual(['one'])
  expect(await news('base-wallet', one, two, idle)).toEqual(['idle', 'two'])
  expect(await news('base-wallet', two)).toEqual(['two'])
})
