import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'
import { query } from '../setup/query.ts'
import { address, hash, insertTransactions, insertWallet } from '../setup/wallet-factories.ts'

// What the database itself notes when transactions, syncs and positions are written: wallets to read, and coins to keep.

const database = await testDatabase()
const { db, close } = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
afterAll(close)
const ask = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)
const AT = new Date('2026-03-10T00:00:00Z')
/** A network without protocols. */
const WITHOUT = 'rootstock-wallet'
let [one, two]: [string, string] = ['', '']
beforeAll(async () => {
  const syncs = { ethereum: null, 'base-wallet': null, [WITHOUT]: null }
  one = await insertWallet(db, { address: address(1), syncs })
  two = await insertWallet(db, { address: address(2), syncs })
})
const nameOf = (id: string) => (id === one ? 'one' : 'two')
beforeEach(async () => {
  await ask('update wallet_syncs set synced_at = null')
  await ask('truncate defi_marks, defi_reads, wallet_transactions cascade')
})

const marks = async () =>
  (
    await ask<{ id: string; network: string; block: string | null; attempts: number }>(
      `select wallet_id as id, network_id as network, block_number as block, attempts from defi_marks order by 1, 2`,
    )
  ).map(({ id, network, block, attempts }) => `${nameOf(id)} ${network} ${block} ${attempts}`)

const insert = async (walletId: string, networkId: string, ...blocks: number[]) => {
  await insertTransactions(db, {
    walletId,
    transactions: blocks.map((block) => ({ networkId, at: AT, hash: hash(block) })),
  })
}

test('transactions mark their wallet at their last block, where a protocol is read', async () => {
  await insert(one, 'ethereum', 5)
  await insert(one, WITHOUT, 5)
  expect(await marks()).toEqual(['one ethereum 1 0'])
  await ask('update defi_marks set attempts = 3')
  // A statement may write several blocks.
  await ask(
    `insert into wallet_transactions select (jsonb_populate_record(t, jsonb_build_object('hash', t.hash || block, 'block_number', block))).*
     from wallet_transactions t, unnest(array[8, 9, 7]) block where network_id = 'ethereum'`,
  )
  expect(await marks()).toEqual(['one ethereum 9 0'])
  // So does a deletion, as of a reorganisation.
  await ask('truncate defi_marks')
  await ask(`delete from wallet_transactions where block_number in (7, 8)`)
  expect(await marks()).toEqual(['one ethereum 8 0'])
})

test('a wallet whose history is complete is marked unless it was read there completely', async () => {
  const sync = (walletId: string, networkId: string) =>
    ask('update wallet_syncs set synced_at = $1 where wallet_id = $2 and network_id = $3', [
      AT,
      walletId,
      networkId,
    ])
  const read = (walletId: string, networkId: string, completeAt: Date | null) =>
    ask(
      `insert into defi_reads (wallet_id, network_id, source, fetched_at, complete_at) values ($1, $2, 'test', $3, $4)`,
      [walletId, networkId, AT, completeAt],
    )
  await read(one, 'ethereum', AT)
  await read(two, 'base-wallet', null)
  await sync(one, 'ethereum')
  await sync(one, WITHOUT)
  expect(await marks()).toEqual([])
  // Its other network, another wallet on the same one, and one whose read was not complete.
  await sync(one, 'base-wallet')
  await sync(two, 'ethereum')
  await sync(two, 'base-wallet')
  expect(await marks()).toEqual(['one base-wallet null 0', 'two base-wallet null 0', 'two ethereum null 0'])
})

test('coins of positions are kept: those of their tokens and of their contracts on the same network', async () => {
  const [listed, known, other] = [address(0xa1), address(0xa2), address(0xa3)]
  for (const [id, blockchain, at] of [
    ['listed', 'ethereum', listed],
    ['listed-elsewhere', 'base', listed],
    ['listed-other', 'ethereum', other],
  ] as const)
    await insertCoin(db, { id, at: AT, contracts: [{ blockchain, address: at, decimals: 18 }] })
  for (const [network, at, coin] of [
    ['ethereum', known, 'of-token'],
    ['base-wallet', known, 'of-token-elsewhere'],
    ['ethereum', other, 'of-other-token'],
  ])
    await ask(
      `insert into tokens (network_id, address, decimals, coin_id, source, fetched_at) values ($1, $2, 18, $3, 'test', now())`,
      [network, at, coin],
    )
  await ask('truncate past.coins_held')
  await ask(
    `insert into defi_reads (wallet_id, network_id, source, fetched_at) values ($1, 'ethereum', 'test', now())`,
    [one],
  )
  await ask(
    `insert into defi_positions (wallet_id, network_id, protocol_id, id, name, pool_address, block_number, block_hash, source, fetched_at)
     values ($1, 'ethereum', 'aave-v3', 'a', 'a', $2, 1, $2, 'test', now())`,
    [one, hash(1)],
  )
  await ask(
    `insert into defi_assets (wallet_id, network_id, protocol_id, position_id, seq, role, token_address, raw, block_number, block_hash,
       source, fetched_at)
     select $1, 'ethereum', 'aave-v3', 'a', seq, 'supplied', token, 1, 1, $2, 'test', now()
     from unnest($3::text[]) with ordinality as _ (token, seq)`,
    [one, hash(1), [listed, known]],
  )
  const held = await ask<{ coin_id: string }>('select coin_id from past.coins_held order by 1')
  expect(held.map(({ coin_id: id }) => id)).toEqual(['listed', 'of-token'])
})
