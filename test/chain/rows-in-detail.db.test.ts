import { expect, test } from 'vitest'
import type pg from 'pg'
import { noteChecks } from '../../db/chain/account-checks.ts'
import { writeBalances } from '../../db/chain/balances.ts'
import { coverWallets } from '../../db/chain/coverage.ts'
import { labelMovements } from '../../db/chain/label-movements.ts'
import { postponeMark, readMarks } from '../../db/chain/marks.ts'
import { deleteOpeningRows } from '../../db/chain/openings.ts'
import { completeSync } from '../../db/chain/syncs.ts'
import { markDiffering, markToAskAgain, markTouched, markToVerify } from '../../db/chain/touched.ts'
import { walletHashes } from '../../db/chain/wallet-raw.ts'
import { rewindNetwork } from '../../db/chain/write.ts'
import { transact } from '../../db/transact.ts'
import { changedRows } from '../setup/changed-rows.ts'
import { twoOfEach } from './two-of-each.ts'

// Which rows of a wallet, or of a network, a write changes, and which it leaves.

const { database, db, pool, ask, networkId, walletId, walletIds, address, owner, share } = await twoOfEach()
const key = { walletId, networkId }
const inOne = <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> =>
  transact(pool, ({ client }) => work(client))
const other = walletIds[0]!

test('a check stores what it saw otherwise, and when the accounts of a wallet were listed', async () => {
  const span = { first: '1', next: null, at: new Date() }
  const account = `address-${owner}`
  const changed = [{ walletId, account, seen: 'now', seenBlock: 95 }]
  await inOne((client) => noteChecks(client, { networkId, span, listedIds: [walletId], changed }))
  const rows = await ask(
    `select account, seen, seen_block::integer from wallet_accounts where seen = 'now' or listed_at is not null
     order by account`,
  )
  expect(rows).toEqual([
    { account, seen: 'now', seen_block: 95 },
    { account: `wallet-${owner}`, seen: 'seen', seen_block: 90 },
  ])
})

test('balances of a whole wallet replace all, others only those that they name', async () => {
  const write = (isWhole: boolean, coinId: string, raw: bigint) =>
    inOne((client) =>
      writeBalances(client, {
        networkId,
        block: { number: 91, hash: 'hash' },
        source: 'test',
        fetchedAt: new Date(),
        wallets: [{ walletId, isWhole, balances: [{ coinId, token: null, raw, decimals: 18 }] }],
      }),
    )
  const held = async () =>
    (
      await ask<{ coin_id: string }>(
        'select coin_id from balances where wallet_id = $1 and network_id = $2 order by coin_id',
        [walletId, networkId],
      )
    ).map((row) => row.coin_id)
  await write(false, 'one', 1n)
  expect(await held()).toEqual([`coin-${owner}`, 'one'])
  await write(true, 'two', 1n)
  expect(await held()).toEqual(['two'])
  await write(false, 'three', 1n)
  await write(false, 'two', 0n)
  expect(await held()).toEqual(['three'])
})

test('a label is set where there is such a movement, and changes the role when the wallet is derived', async () => {
  const label = (hash: string, seq: number) =>
    labelMovements(db, { address, networkId, hash, seq, role: 'spam', now: new Date() })
  expect(await label('both', 0)).toBe(true)
  expect(await label('both', 1)).toBe(false)
  expect(await label('none', 0)).toBe(false)
  expect(await ask(`select wallet_id, network_id, tx_hash from movement_labels where role = 'spam'`)).toEqual(
    [{ wallet_id: walletId, network_id: networkId, tx_hash: 'both' }],
  )
})

test('only a wallet that is not covered is taken up, and it is no longer paused', async () => {
  await ask('update wallet_syncs set covered_from = null, paused_until = now()')
  await ask('update wallet_syncs set covered_from = 80 where wallet_id = $1 and network_id = $2', [
    other,
    networkId,
  ])
  await inOne((client) => coverWallets(client, { networkId, walletIds, fromBlock: 90 }))
  const rows = await ask(
    `select wallet_id, network_id, covered_from::integer from wallet_syncs
     where covered_from is not null and (paused_until is null) = (covered_from = 90) order by wallet_id`,
  )
  expect(rows).toEqual([
    { wallet_id: other, network_id: networkId, covered_from: 80 },
    { wallet_id: walletId, network_id: networkId, covered_from: 90 },
  ])
  await ask('update wallet_syncs set covered_from = 90, paused_until = null')
})

test('a sync is complete only when rows are stored and derived up to its head', async () => {
  const cursor = 100 + share
  for (const short of ['cursor_block', 'normalised_block']) {
    await ask(`update wallet_syncs set ${short} = head_block - 1`)
    expect(await changedRows(database, { wallet_syncs: 'wallet_id' }, () => completeSync(pool, key))).toEqual(
      [],
    )
    expect(await completeSync(pool, key)).toBe(false)
    await ask(`update wallet_syncs set ${short} = head_block`)
  }
  expect(await completeSync(pool, key)).toBe(true)
  expect(
    await ask(`select cursor_block::integer from wallet_syncs where synced_at > now() - interval '1 minute'`),
  ).toEqual([{ cursor_block: cursor }])
})

test.each([
  ['its history reaches the coverage', 89, 89, true, true],
  ['a block before it is not stored', 88, 89, true, false],
  ['a block before it is not derived', 89, 88, true, false],
  ['no sync was complete', 89, 89, false, false],
])(
  'whether a wallet can be derived from blocks of the follower alone: %s',
  async (_, cursor, derived, synced, whole) => {
    await ask(
      `update wallet_syncs set cursor_block = $1, normalised_block = $2, synced_at = case when $3 then now() end`,
      [cursor, derived, synced],
    )
    await ask(`update touched_wallets set next_at = 'infinity'`)
    const marks = await readMarks(pool, { networkId, walletIds: [walletId], isTaken: false })
    expect(marks).toMatchObject([{ walletId, isWhole: whole, isFirst: !synced, isTouched: false }])
  },
)

test.each([
  [0, 5],
  [1, 10],
  [9, 2_560],
  [10, 3_600],
  [99, 3_600],
])('a mark that failed %d times before waits %d seconds', async (attempts, seconds) => {
  await ask('update touched_wallets set attempts = $1, next_at = null', [attempts])
  await postponeMark(pool, key)
  const rows = await ask<{ wait: string }>(
    `select attempts, round(extract(epoch from next_at - clock_timestamp()) / 5) * 5 as wait from touched_wallets
     where next_at is not null`,
  )
  expect(rows).toEqual([{ attempts: attempts + 1, wait: String(seconds) }])
})

test.each<
  [known: string, from: number, through: number, reason: string, next: string | null, hasNewTime: boolean]
>([
  ['that waits for a sync', 80, 95, 'block', 'infinity', false],
  ['that failed', 80, 95, 'block', '2100-01-01', false],
  ['that waits for an explorer', 80, 95, 'unexplained', '2100-01-01', false],
  ['without blocks', 96, 95, 'block', 'infinity', true],
])('a wallet with a mark %s is touched', async (known, from, through, reason, next, hasNewTime) => {
  await ask(
    `update touched_wallets set from_block = $1, through_block = $2, reason = $3, next_at = $4, marked_at = '2026-01-01'`,
    [from, through, reason, next],
  )
  await inOne((client) =>
    markTouched(client, { networkId, touches: [{ walletId, fromBlock: 85, throughBlock: 99 }] }),
  )
  const rows = await ask(
    `select from_block::integer as first, through_block::integer as last, marked_at > '2026-01-02' as has_new_time,
       next_at is null as is_due from touched_wallets where network_id = $1 and wallet_id = $2`,
    [networkId, walletId],
  )
  expect(rows).toEqual([
    { first: Math.min(from, 85), last: 99, has_new_time: hasNewTime, is_due: known !== 'that failed' },
  ])
})

test('balances are compared for followed wallets that were not for five minutes', async () => {
  const marks = () =>
    ask(
      `select network_id, wallet_id, from_block::integer as block from touched_wallets where reason = 'verify'`,
    )
  await ask('delete from touched_wallets')
  await ask('update account_checks set checked_at = null')
  await ask(
    `update wallet_syncs set cursor_block = 95, normalised_block = 95, synced_at = now() - interval '4 minutes'`,
  )
  expect(await markToVerify(pool, [{ address, networkId }])).toBe(0)
  await ask(`update wallet_syncs set synced_at = now() - interval '6 minutes'`)
  expect(await markToVerify(pool, [{ address, networkId }])).toBe(1)
  expect(await marks()).toEqual([{ network_id: networkId, wallet_id: walletId, block: 200 }])
  // They were asked for just now.
  expect(await markToVerify(pool, [{ address, networkId }])).toBe(0)
  await inOne((client) => markDiffering(client, { networkId, walletIds: [walletId], block: 150 }))
  expect(await marks()).toEqual([{ network_id: networkId, wallet_id: walletId, block: 200 }])
  await ask('delete from touched_wallets')
  await inOne((client) => markDiffering(client, { networkId, walletIds: [walletId], block: 150 }))
  expect(await marks()).toEqual([{ network_id: networkId, wallet_id: walletId, block: 150 }])
})

test('an explorer is asked again only for a wallet that a follower covers', async () => {
  await ask('delete from touched_wallets')
  const again = () =>
    inOne((client) => markToAskAgain(client, { ...key, fromBlock: 80, throughBlock: 90, waitMs: 60_000 }))
  const marks = () => ask(`select network_id, wallet_id from touched_wallets where next_at > now()`)
  await ask('update wallet_syncs set covered_from = null where wallet_id = $1', [walletId])
  await again()
  expect(await marks()).toEqual([])
  await ask('update wallet_syncs set covered_from = 90')
  await ask(`update network_follows set mode = 'off' where network_id = $1`, [networkId])
  await again()
  expect(await marks()).toEqual([])
  await ask(`update network_follows set mode = 'blocks'`)
  await again()
  expect(await marks()).toEqual([{ network_id: networkId, wallet_id: walletId }])
})

test('a part of the transactions ends with a block, or is one block that holds more', async () => {
  await ask(
    `insert into transactions (network_id, hash, block_number, block_hash, at, tx_index, from_address, value, fee, success,
       source, fetched_at) select $1, 'more-' || n, 90, 'hash', now(), n, $2, 1, 1, true, 'test', now()
     from generate_series(1, 2) n`,
    [networkId, address],
  )
  const read = (limit: number, fromBlock = 60) => {
    const range = { walletId, addresses: [address], fromBlock, toBlock: 99 }
    const later = { walletId: other, addresses: ['w1'], fromBlock: 50, toBlock: 99 }
    return inOne((client) => walletHashes(client, { networkId, ranges: [range, later], limit }))
  }
  const early = `tx-${owner}-60`
  const late = ['more-1', 'more-2', `tx-${owner}-90`]
  expect(await read(3)).toEqual([
    { hashes: [early], through: 89 },
    { hashes: [], through: 49 },
  ])
  expect(await read(4)).toEqual([
    { hashes: [early, ...late], through: 99 },
    { hashes: [], through: 59 },
  ])
  expect(await read(2, 61)).toEqual([
    { hashes: late, through: 90 },
    { hashes: [], through: 49 },
  ])
})

test('the openings whose transactions are deleted are returned', async () => {
  const found = await inOne((client) => deleteOpeningRows(client, key))
  const opening = { walletId, role: 'opening', coinId: `coin-${owner}`, raw: BigInt(share), price: null }
  expect(new Set(found.map(({ origin }) => origin.blockNumber))).toEqual(new Set([60, 70, 90]))
  for (const one of found) expect(one).toMatchObject(opening)
})

test('a rewind leaves what is up to its block, and marks the wallets that lose rows', async () => {
  const losers = ['sender', 'giver', 'taker', 'key']
  const others = losers.map((one) => `other ${one}`)
  await ask('insert into wallets (address) select unnest($1::text[])', [[...losers, ...others]])
  await ask(
    `insert into wallet_syncs (wallet_id, network_id, cursor_block, covered_from)
     select id, $1, 80, 82 from wallets where address = any($2)`,
    [networkId, [...losers, ...others]],
  )
  await ask(
    `insert into wallet_accounts (wallet_id, network_id, account, role, source, fetched_at)
     select id, $1, 'of ' || address, 'address', 'test', now() from wallets where address like '%key'`,
    [networkId],
  )
  // The others have rows of the network up to the block, and later ones of another network.
  for (const [network, block, who] of [
    [networkId, 81, ''],
    [networkId, 80, 'other '],
    ['ethereum', 90, 'other '],
  ]) {
    const values = [network, block, who]
    await ask(
      `insert into transactions (network_id, hash, block_number, block_hash, at, tx_index, from_address, value, fee, success,
         source, fetched_at)
       values ($1, $3::text || $2::bigint, $2, 'hash', now(), 0, $3 || 'sender', 1, 1, true, 'test', now())`,
      values,
    )
    await ask(
      `insert into transfers (network_id, tx_hash, kind, position, from_address, to_address, raw, block_number, block_hash, at,
         source, fetched_at) select $1, $3::text || $2::bigint, 'erc20', position, giver, taker, 1, $2, 'hash', now(), 'test', now()
       from (values (1, $3 || 'giver', ''), (2, '', $3 || 'taker'), (3, 'of ' || $3 || 'key', '')) sides (position, giver, taker)`,
      values,
    )
  }
  await ask('delete from touched_wallets')
  await inOne((client) => rewindNetwork(client, { networkId, block: 80 }))
  expect(await ask('select address from touched_wallets join wallets on id = wallet_id order by id')).toEqual(
    ['w1', 'w2', ...losers].map((one) => ({ address: one })),
  )
  expect(
    await ask(
      `select extract(day from now() - at)::integer as days, block_number::integer as block, blocks::integer
       from network_rewinds where network_id = $1 order by at`,
      [networkId],
    ),
  ).toEqual([
    { days: 1, block: 60, blocks: 1 },
    { days: 0, block: 80, blocks: 4 },
  ])
  expect(
    await ask(
      `select network_id, dirty_from = '2026-01-01T01:30:00Z'::timestamptz + (wallet_id * 10 + 2) * interval '1 second' as is_first,
         legs_changed from pl_states join books on id = book_id where book_id in (
           select id from books where network_id = $1) order by wallet_id`,
      [networkId],
    ),
  ).toEqual([
    { network_id: networkId, is_first: true, legs_changed: true },
    { network_id: networkId, is_first: false, legs_changed: true },
  ])
  for (const table of ['movements', 'wallet_transactions', 'transfers', 'transactions'])
    expect(
      await ask(
        `select distinct block_number::integer as block from ${table} where network_id = $1 order by 1 desc limit 1`,
        [networkId],
      ),
    ).toEqual([{ block: table.startsWith('trans') ? 80 : 70 }])
  expect(
    await ask(
      `select distinct covered_from::integer as first from wallet_syncs where network_id = $1 order by 1`,
      [networkId],
    ),
  ).toEqual([{ first: 81 }])
})
