import { describe, expect, test } from 'vitest'
import type pg from 'pg'
import { dueSpan, walletsToCheck } from '../../db/chain/account-checks.ts'
import { movedCoins } from '../../db/chain/balances.ts'
import { unspentOutputs } from '../../db/chain/bitcoin-wallets.ts'
import { readBranchFigures } from '../../db/chain/branches.ts'
import { busyWallets } from '../../db/chain/busy-wallets.ts'
import { coinsToPrice } from '../../db/chain/coins-to-price.ts'
import { findCold, unknownTransactions } from '../../db/chain/cold-transactions.ts'
import { networkAddresses } from '../../db/chain/coverage.ts'
import { countFollowed, networksWithWallets } from '../../db/chain/follows.ts'
import { dueMarks } from '../../db/chain/marks.ts'
import { outdatedSyncs } from '../../db/chain/sync-progress.ts'
import { FORMAT_VERSION } from '../../db/chain/stored-transaction.ts'
import { dueSyncs, networksWithGaps } from '../../db/chain/syncs.ts'
import { transact } from '../../db/transact.ts'
import { changedRows } from '../setup/changed-rows.ts'
import { twoOfEach } from './two-of-each.ts'

// What is to be done next is found for the wallets and networks that it concerns, and for no others.

const { database, db, pool, ask, networkId, walletId, walletIds, address, owner, owners, share, hashesOf } =
  await twoOfEach()
const other = walletIds[0]!
const OWN = `wallet_id = ${walletId} and network_id = '${networkId}'`
const inOne = <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> =>
  transact(pool, ({ client }) => work(client))

describe('spans of wallets to check', () => {
  const due = (olderThanSeconds = 60) => dueSpan(pool, { networkId, olderThanSeconds })
  const set = (first: number, checked: string | null) =>
    ask(
      `insert into account_checks (network_id, first_wallet, checked_at) values ($1, $2, now() - $3::interval)
       on conflict (network_id, first_wallet) do update set checked_at = excluded.checked_at`,
      [networkId, first, checked],
    )

  test('begin with all wallets of a network, though another one has spans', async () => {
    await ask('delete from account_checks where network_id = $1', [networkId])
    expect(await due()).toMatchObject({ first: '0', next: null })
    expect(
      await ask('select first_wallet::int from account_checks where network_id = $1', [networkId]),
    ).toEqual([{ first_wallet: 0 }])
  })

  test('are due when they were checked too long ago, the longest first, and end where the next begins', async () => {
    await ask('delete from account_checks where network_id = $1', [networkId])
    await ask(`insert into account_checks select 'ethereum', n, null from generate_series(2, 60) n`)
    await set(0, '90 seconds')
    await set(10, '120 seconds')
    await set(20, '30 seconds')
    await set(30, '100 seconds')
    const firsts = async (olderThanSeconds?: number) => {
      const span = await due(olderThanSeconds)
      return span && [span.first, span.next]
    }
    expect(await firsts()).toEqual(['10', '20'])
    await set(30, null)
    expect(await firsts()).toEqual(['30', null])
    await set(30, '10 seconds')
    await set(10, '10 seconds')
    expect(await firsts()).toEqual(['0', '10'])
    expect(await firsts(100)).toBe(null)
    expect(await firsts(20)).toEqual(['0', '10'])
  })

  test('hold the synced wallets, and whether their accounts were listed within a day', async () => {
    const span = { first: '0', next: null, at: new Date() }
    const found = async () =>
      (await walletsToCheck(pool, { networkId, span, limit: 9 })).map((one) => [one.walletId, one.isListed])
    await ask(
      `update wallet_accounts set listed_at = now() - interval '23 hours' where ${OWN} and role = 'wallet'`,
    )
    expect(await found()).toEqual([
      [other, false],
      [walletId, true],
    ])
    await ask(
      `update wallet_accounts set listed_at = now() - interval '25 hours' where ${OWN} and role = 'wallet'`,
    )
    expect(await found()).toEqual([
      [other, false],
      [walletId, false],
    ])
    await ask(`update wallet_syncs set synced_at = null where wallet_id = $1`, [other])
    expect(await found()).toEqual([[walletId, false]])
    await ask(`update wallet_syncs set synced_at = now() - interval '1 hour'`)
  })
})

test('sums below zero count after a block, and openings where they stand before other movements', async () => {
  const put = (block: number, raw: number, role = 'transfer', index = 0) =>
    ask(
      `insert into movements (wallet_id, network_id, at, block_number, block_hash, tx_index, tx_hash, seq, role, coin_id, raw,
         decimals, source, fetched_at)
       values ($1, $2, '2026-03-01'::timestamptz + $3 * interval '1 minute', $3, 'hash-' || $3, $4, $3 || $5, 0, $5, 'short', $6,
         18, 'test', now())`,
      [walletId, networkId, block, index, role, raw],
    )
  await put(10, 5, 'opening', -1)
  await put(10, -6)
  await put(20, 4, 'opening', 1)
  await put(20, -9)
  await put(25, 1_000, 'spam')
  await put(30, 50)
  const sum = async (since: number) => {
    const [row] = await movedCoins(pool, {
      networkId,
      coins: [{ walletId, coinId: 'short', since }],
      toBlock: 40,
    })
    const { raw, opened, short, opened_before: before, first } = row!
    return { raw, opened, short: short?.block ?? null, before: before?.block, first: first.block }
  }
  const expected = { raw: '44', opened: '9', before: 10, first: 10 }
  expect(await sum(0)).toEqual({ ...expected, short: 10 })
  expect(await sum(10)).toEqual({ ...expected, short: 20 })
  expect(await sum(20)).toEqual({ ...expected, short: null })
  await ask(`delete from movements where coin_id = 'short'`)
})

test('unspent outputs are those of all addresses of each wallet, up to a block', async () => {
  const wallets = walletIds.map((id, i) => ({ walletId: id, addresses: [`w${i + 1}`, 'x'] }))
  const unspent = (throughBlock: number) => unspentOutputs(pool, { networkId, throughBlock, wallets })
  // Of each an output of its share and an input of one, at the blocks 60 and 90.
  expect(await unspent(89)).toEqual(
    new Map([
      [other, BigInt(share - 10 - 1)],
      [walletId, BigInt(share - 1)],
    ]),
  )
  expect((await unspent(90)).get(walletId)).toBe(2n * BigInt(share - 1))
  expect(await unspent(59)).toEqual(new Map())
})

test('wallets are busy by their own transactions in an hour and in a day', async () => {
  // Six at 01:00, 01:10 and 01:30, two of each.
  const busy = async (at: string, limits: { hourly: number; daily: number }) => {
    const found = await inOne((client) =>
      busyWallets(client, { networkId, walletIds: [walletId], at: new Date(at), ...limits }),
    )
    return [[...found.overHour], [...found.overDay]]
  }
  const later = '2026-01-01T02:05:00Z'
  expect(await busy(later, { hourly: 3, daily: 6 })).toEqual([[walletId], []])
  expect(await busy(later, { hourly: 4, daily: 6 })).toEqual([[], []])
  expect(await busy(later, { hourly: 4, daily: 5 })).toEqual([[walletId], [walletId]])
  expect(await busy(later, { hourly: 9, daily: 5 })).toEqual([[walletId], [walletId]])
  expect(await busy('2026-01-01T03:05:00Z', { hourly: 1, daily: 6 })).toEqual([[], []])
  expect(await busy('2026-01-02T00:00:00Z', { hourly: 0, daily: 0 })).toEqual([[], []])
})

test('the branch of a followed network is held until a time, and its rewinds are those of a day', async () => {
  await ask(`update network_follows set held_until = now() + interval '1 hour' where network_id = $1`, [
    networkId,
  ])
  await ask(`update network_follows set held_until = now() - interval '1 hour' where network_id <> $1`, [
    networkId,
  ])
  await ask(
    `insert into network_rewinds select 'ethereum', now() - interval '1 minute' * n, 1, 1 from generate_series(1, 3) n`,
  )
  await ask(
    `insert into network_rewinds select $1, now() - hours * interval '1 hour', 1, 1 from unnest(array[1, 22, 26]) hours`,
    [networkId],
  )
  await ask(`insert into network_follows (network_id, mode, epoch) values ('polygon-wallet', 'off', 1)`)
  const figures = (await readBranchFigures(db)).toSorted((a, b) => (a.network < b.network ? -1 : 1))
  expect(figures.map(({ network, isHeld }) => [network, isHeld])).toEqual([
    [networkId, true],
    ['ethereum', false],
  ])
  expect(figures.find(({ network }) => network === networkId)!.rewinds).toBe(2)
})

test('networks with wallets, and the number of these', async () => {
  await ask(
    `insert into wallet_syncs (wallet_id, network_id) values ($1, 'bitcoin'), ($1, 'polygon-wallet')`,
    [other],
  )
  await ask(`update wallet_syncs set covered_from = 1 where network_id = 'polygon-wallet'`)
  const named = ['arbitrum-wallet', 'polygon-wallet', 'bitcoin', networkId]
  expect((await networksWithWallets(pool, named)).toSorted()).toEqual([
    networkId,
    'bitcoin',
    'polygon-wallet',
  ])
  const counts = await countFollowed(pool, named)
  expect(counts.map((one) => [one.networkId, one.wallets])).toEqual([
    [networkId, 2],
    ['polygon-wallet', 1],
    ['arbitrum-wallet', 0],
  ])
  const pages: string[][] = []
  for await (const page of networkAddresses(pool, 'polygon-wallet')) pages.push(page)
  expect(pages).toEqual([['w1']])
  await ask(`delete from wallet_syncs where network_id in ('bitcoin', 'polygon-wallet')`)
})

test('marks are due by their time for one deriver of several, of the network whose mark is oldest', async () => {
  await ask(`update touched_wallets set next_at = null, marked_at = now() - wallet_id * interval '1 minute'
    - case network_id when 'ethereum' then 10 else 0 end * interval '1 minute'`)
  const due = (networkIds: string[], more: { lane?: number; lanes?: number; limit?: number } = {}) =>
    dueMarks(pool, { networkIds, lane: 0, lanes: 1, limit: 9, ...more })
  const both = ['ethereum', networkId]
  expect(await due(both)).toEqual({ networkId: 'ethereum', walletIds: [walletId, other] })
  expect(await due(both, { limit: 1 })).toEqual({ networkId: 'ethereum', walletIds: [walletId] })
  expect(await due([networkId])).toEqual({ networkId, walletIds: [walletId, other] })
  const lane = Number(other) % 2
  expect(await due(both, { lane, lanes: 2 })).toEqual({ networkId: 'ethereum', walletIds: [other] })
  await ask(`update touched_wallets set next_at = now() + interval '1 hour' where network_id = 'ethereum'`)
  expect(await due(both)).toEqual({ networkId, walletIds: [walletId, other] })
  await ask(`update touched_wallets set next_at = now() - interval '1 hour' where network_id = 'ethereum'`)
  expect(await due(both)).toMatchObject({ networkId: 'ethereum' })
  expect(await due(['polygon-wallet'])).toBe(null)
})

describe('transactions in files', () => {
  test('are found by their hash on their network, and others are known if they are stored', async () => {
    const hashes = ['old', 'older', 'elsewhere', ...hashesOf(owner), 'none']
    await ask(
      `insert into cold_files (file, dataset, month, rows, bytes, sha256, unfit, definition, moved_at)
       select file, 'transactions', '2026-01-01', 1, 1, 'sum ' || file, 0, '', now() from unnest(array['a', 'b', 'c']) file`,
    )
    await ask(
      `insert into cold_transactions (network_id, digest, block_number, at, file_id)
       select network, md5(hash)::uuid, 1, '2025-01-01', id
       from (values ($1, 'old', 'a'), ($1, 'older', 'b'), ('ethereum', 'elsewhere', 'c'), ('ethereum', 'old', 'c'))
         as cold (network, hash, name) join cold_files on file = name`,
      [networkId],
    )
    expect(await inOne((client) => findCold(client, { networkId, hashes }))).toEqual([
      { networkId, file: 'a', sha256: 'sum a', hashes: ['old'] },
      { networkId, file: 'b', sha256: 'sum b', hashes: ['older'] },
    ])
    expect((await unknownTransactions(pool, { networkId, hashes })).toSorted()).toEqual(['elsewhere', 'none'])
    const ofOthers = hashesOf(owners[1]!)
    expect((await unknownTransactions(pool, { networkId, hashes: ofOthers })).toSorted()).toEqual(ofOthers)
  })

  test('count for the time from which coins are priced', async () => {
    const first = async () =>
      (await coinsToPrice(pool, { networkId, addresses: [address] }))!.from.toISOString().slice(0, 10)
    const put = (network: string, sender: string, day: string) =>
      ask(
        `insert into cold_transactions (network_id, digest, block_number, at, file_id, from_address, hash)
         select $1, md5($2 || $3)::uuid, 1, $3::timestamptz, min(id), $2, $3 from cold_files`,
        [network, sender, day],
      )
    await put('ethereum', address, '2025-03-01')
    await put(networkId, 'w1', '2025-04-01')
    expect(await first()).toBe('2026-01-01')
    await put(networkId, address, '2025-05-01')
    expect(await first()).toBe('2025-05-01')
  })
})

test('coins are priced unless they are spam, but for those that were only sent to many', async () => {
  const asked = async (reason: string | null) => {
    await ask('update tokens set spam_reason = $2 where address = $1', [`token-${owner}`, reason])
    return (await coinsToPrice(pool, { networkId, addresses: [address] }))!.coinIds.includes(`coin-${owner}`)
  }
  expect([await asked('advertises'), await asked('multisend'), await asked(null)]).toEqual([
    false,
    true,
    true,
  ])
  expect(await coinsToPrice(pool, { networkId, addresses: ['nobody'] })).toBe(null)
})

describe('syncs that are due', () => {
  const due = async (more: { gapNetworks?: string[]; formatVersion?: number; limit?: number } = {}) => {
    const input = {
      olderThanSeconds: 1_800,
      limit: 9,
      formatVersion: FORMAT_VERSION,
      gapNetworks: [],
      ...more,
    }
    return (await dueSyncs(pool, input)).map((one) => `${one.address} ${one.networkId}`)
  }
  const [W1, W2] = [`w1 ${networkId}`, `w2 ${networkId}`]

  test('are those of networks with a source: of portfolios first, and then the oldest', async () => {
    await ask('update networks set active = id = $1', [networkId])
    await ask('delete from account_checks')
    await ask(
      `update wallet_syncs set gap_from = null, covered_from = null, paused_until = null, failed_at = null,
         format_version = $1, synced_at = now() - wallet_id * interval '1 hour'`,
      [FORMAT_VERSION],
    )
    expect(await due()).toEqual([W2, W1])
    await ask(
      `insert into portfolios (id, kind, address, network_id) values (gen_random_uuid(), 'wallet', 'w1', $1),
         (gen_random_uuid(), 'wallet', 'w2', 'ethereum')`,
      [networkId],
    )
    expect(await due()).toEqual([W1, W2])
    expect(await due({ limit: 1 })).toEqual([W1])
    await ask(`update wallet_syncs set failed_at = now() where ${OWN}`)
    expect(await due()).toEqual([W1])
    await ask(`update wallet_syncs set failed_at = null, synced_at = now() where ${OWN}`)
    expect(await due()).toEqual([W1])
    await ask(`update wallet_syncs set synced_at = null where ${OWN}`)
    expect(await due()).toEqual([W1, W2])
    await ask(`update wallet_syncs set paused_until = now() + interval '1 hour' where wallet_id = $1`, [
      other,
    ])
    expect(await due()).toEqual([W2])
    await ask(`update wallet_syncs set paused_until = now() - interval '1 hour' where wallet_id = $1`, [
      other,
    ])
    expect(await due()).toEqual([W1, W2])
  })

  test('of wallets that a follower covers are those with a gap, rows to derive or an older form', async () => {
    await ask(`delete from touched_wallets`)
    await ask(
      `update wallet_syncs set covered_from = 90, cursor_block = 100, normalised_block = 100, paused_until = null,
         synced_at = now() - interval '1 hour'`,
    )
    expect(await due({ gapNetworks: [networkId] })).toEqual([])
    await ask(`update wallet_syncs set gap_from = 1, gap_to = 2 where ${OWN}`)
    expect(await networksWithGaps(pool)).toEqual([networkId])
    expect(await due({ gapNetworks: ['ethereum'] })).toEqual([])
    expect(await due({ gapNetworks: [networkId] })).toEqual([W2])
    await ask(`update wallet_syncs set gap_from = null where ${OWN}`)
    await ask(`update wallet_syncs set normalised_block = 99 where ${OWN}`)
    expect(await due()).toEqual([W2])
    await ask(`update wallet_syncs set normalised_block = 100 where ${OWN}`)
    expect(await outdatedSyncs(pool)).toEqual([])
    await ask(`update wallet_syncs set format_version = format_version - 1 where ${OWN}`)
    expect(await due()).toEqual([W2])
    expect(await outdatedSyncs(pool)).toEqual([{ walletId, address, networkId }])
    await ask(`update wallet_syncs set normalised_block = -1 where ${OWN}`)
    expect(await outdatedSyncs(pool)).toEqual([])
  })
})

describe('rows that are derived again', () => {
  const again = (from: number) =>
    changedRows(
      database,
      { wallet_syncs: `network_id || '#' || wallet_id`, touched_wallets: `network_id || '#' || wallet_id` },
      () => ask('select derive_again($1, array[$2::bigint], array[$3::bigint])', [networkId, walletId, from]),
    )
  const mark = () =>
    ask(
      `select from_block::int as first, through_block::int as last, reason, next_at from touched_wallets where ${OWN}`,
    )
  const derived = async () =>
    (await ask<{ block: number }>(`select normalised_block::int as block from wallet_syncs where ${OWN}`))[0]!
      .block
  const set = async (values: string) => {
    await ask('delete from touched_wallets')
    await ask(`update network_follows set mode = 'blocks', cursor_block = 200 where network_id = $1`, [
      networkId,
    ])
    await ask(
      `update wallet_syncs set covered_from = 90, cursor_block = 100, normalised_block = 100, synced_at = now()`,
    )
    await ask(`update wallet_syncs set ${values} where ${OWN}`)
  }

  test.each([
    ['whose history reaches the coverage', 'cursor_block = 89', true],
    ['whose history does not', 'cursor_block = 88', false],
    ['whose rows are not derived up to it', 'normalised_block = 88', false],
    ['that was never synced', 'synced_at = null', false],
    ['that no follower covers', 'covered_from = null', false],
  ])(
    'are marked for the follower, or left to the next sync, for a wallet %s',
    async (_, values, isMarked) => {
      await set(values)
      expect(new Set(await again(50))).toEqual(new Set([owner]))
      expect(await mark()).toEqual(isMarked ? [{ first: 50, last: 200, reason: 'block', next_at: null }] : [])
      expect((await derived()) === 49).toBe(!isMarked)
    },
  )

  test('widen a mark, which waits no more', async () => {
    await set('cursor_block = 100')
    await ask(
      `insert into touched_wallets (network_id, wallet_id, from_block, through_block, reason, next_at)
       values ($1, $2, 60, 300, 'verify', 'infinity')`,
      [networkId, walletId],
    )
    await again(70)
    expect(await mark()).toMatchObject([{ first: 60, last: 300, next_at: null }])
    await again(50)
    expect(await mark()).toMatchObject([{ first: 50, last: 300 }])
  })

  test('are none above what is derived, and of a follower that is off its own sync derives them', async () => {
    await set('cursor_block = 100')
    expect(await again(201)).toEqual([])
    await again(200)
    expect(await mark()).toMatchObject([{ first: 200, last: 200 }])
    await set('cursor_block = 100')
    await ask(`update network_follows set mode = 'off', cursor_block = 50 where network_id = $1`, [networkId])
    expect(await again(101)).toEqual([])
    await again(100)
    expect([await derived(), await mark()]).toEqual([99, []])
  })
})
