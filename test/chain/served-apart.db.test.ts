import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countWalletSyncs } from '../../db/chain/count-syncs.ts'
import { readAnswered } from '../../db/chain/first-syncs.ts'
import { readBalances } from '../../db/chain/read-balances.ts'
import { readSpam } from '../../db/chain/read-spam.ts'
import { readWalletProgress } from '../../db/chain/read-sync-progress.ts'
import * as syncs from '../../db/chain/read-syncs.ts'
import { countSpam, readSpamBalances } from '../../db/chain/wallet-spam.ts'
import { openReadonlyDb } from '../../db/connect.ts'
import { twoOfEach } from './two-of-each.ts'

// What is served of one wallet on one network has no part of another's.

const { database, db: ownerDb, ask, networkId, walletId, address, owner, owners, share } = await twoOfEach()
const { db, close } = openReadonlyDb({
  url: database.ownerUrl,
  maxConnections: 1,
  applicationName: 'test',
})
afterAll(close)
const wallets = [{ walletId, networkId }]
/** Restricts an update to the rows of the wallet on the network. */
const OWN = `wallet_id = ${walletId} and network_id = '${networkId}'`
/** A number of each row's owner. */
const SHARE = `(wallet_id * 10 + case network_id when 'ethereum' then 1 else 2 end)`
const at = (seconds: number) => new Date(Date.UTC(2026, 1, 1, 0, 0, seconds))

describe('balances', () => {
  beforeAll(async () => {
    await ask(
      `insert into coins (id, symbol, name, slug, last_seen_at, source, fetched_at)
       select 'coin-' || o, 's-' || o, 'name-' || o, o, now(), 'test', now() from unnest($1::text[]) o`,
      [owners],
    )
    await ask(
      `insert into coin_quotes (coin_id, price_usd, at, source, fetched_at)
       select 'coin-' || o, 4, now(), 'test', now() from unnest($1::text[]) o`,
      [owners],
    )
    // The other network has a token of the same address.
    await ask(
      `insert into tokens (network_id, address, name, symbol, coin_id, source, fetched_at)
       values ('ethereum', $1, 'other', 'OTHER', 'other', 'test', now()), ($2, 'plain', 'Plain', 'PLN', 'plain', 'test', now()),
         ($2, 'spam', 'Spam', 'SPM', 'spam', 'test', now())`,
      [`token-${owner}`, networkId],
    )
    await ask(`update tokens set spam_reason = 'advertises' where address = 'spam'`)
    await ask(
      `insert into balances (wallet_id, network_id, coin_id, token_address, raw, decimals, block_number, block_hash, source, fetched_at)
       select $1, $2, coin, token, raw, 18, 1, 'hash', 'test', now() from (values ('native', null, 5), ('plain', 'plain', 7),
         ('none', 'plain', 0), ('spam', 'spam', 9), ($3, null, $4)) as held (coin, token, raw)`,
      [walletId, networkId, `coin-ethereum#${walletId}`, share + 1],
    )
    await ask(`update coin_quotes set price_usd = 3 where coin_id = $1`, [`coin-ethereum#${walletId}`])
  })

  test('are those of a wallet on a network, the most valuable first, without spam and zeroes', async () => {
    const own = { walletId, networkId, blockchain: 'base' }
    const coin = `coin-${owner}`
    const rows = await readBalances(db, wallets)
    expect(rows).toMatchObject([
      { ...own, coinId: coin, name: `name-${owner}`, raw: String(share), tokenAddress: `token-${owner}` },
      { ...own, coinId: `coin-ethereum#${walletId}`, raw: String(share + 1), priceUsd: '3' },
      { ...own, coinId: 'native', name: 'ETH', symbol: 'ETH', raw: '5', priceUsd: null },
      { ...own, coinId: 'plain', name: 'Plain', symbol: 'PLN', raw: '7' },
    ])
    expect(rows[0]).toMatchObject({ symbol: `S-${owner.toUpperCase()}`, priceUsd: '4' })
  })
})

describe('spam', () => {
  const coinOf = (name: string, network: string) => `${name}_${network === 'ethereum' ? 'ethereum' : 'base'}`

  beforeAll(async () => {
    for (const [name, reason] of [
      ['bad', 'advertises'],
      ['sold', 'multisend'],
      ['good', null],
    ]) {
      for (const network of ['ethereum', networkId])
        await ask(
          `insert into tokens (network_id, address, decimals, coin_id, spam_reason, source, fetched_at)
           values ($1, $2, 18, $3, $4, 'test', now())`,
          [network, name, coinOf(name!, network), network === networkId ? reason : null],
        )
      await ask(
        `insert into wallet_spam select wallet_id, network_id, $1 || case network_id when 'ethereum' then '_ethereum'
           else '_base' end from wallet_syncs`,
        [name],
      )
    }
    // Another contract of a coin that is known by the address of the first.
    await ask(
      `insert into tokens (network_id, address, coin_id, spam_reason, source, fetched_at)
       values ($1, 'twin', 'bad_base', 'advertises', 'test', now())`,
      [networkId],
    )
    // Each moves its share of each token, of which nothing is left of one, and more in another role.
    await ask(
      `insert into movements (wallet_id, network_id, at, block_number, block_hash, tx_index, tx_hash, seq, role, coin_id, raw,
         decimals, source, fetched_at)
       select wallet_id, network_id, '2026-01-01', 60, 'hash', 0, 'spam ' || coin_id, seq, role, coin_id,
         case when coin_id like 'sold%' then 0 else ${SHARE} end * (1 + seq), 18, 'test', now()
       from wallet_spam, (values (0, 'spam'), (1, 'transfer')) as roles (seq, role)`,
    )
  })

  test('that a wallet has moved on a network is counted, and served while some is left', async () => {
    expect(await countSpam(db, wallets)).toBe(2)
    expect(await readSpamBalances(db, wallets)).toMatchObject([
      {
        walletId,
        networkId,
        blockchain: 'base',
        coinId: 'bad_base',
        tokenAddress: 'bad',
        raw: String(share),
        reason: 'advertises',
      },
    ])
    expect(await countSpam(db, [{ walletId, networkId: 'ethereum' }])).toBe(0)
  })

  test('is told from coins by their tokens on their network', async () => {
    const asked = ['bad_base', 'bad_ethereum', 'good_base', 'twin_base', 'bad', 'unknown_base']
    expect(await readSpam(db, asked)).toEqual(new Set(['bad_base']))
    expect(await readSpam(db, [])).toEqual(new Set())
  })
})

describe('syncs', () => {
  beforeAll(async () => {
    await ask(`update networks set active = id = $1`, [networkId])
    await ask(
      `update wallet_syncs set balances_at = '2026-02-01'::timestamptz + ${SHARE} * interval '1 second',
         failed_at = '2026-02-01'::timestamptz + ${SHARE} * interval '2 seconds', gap_from = 1, gap_to = 60 + wallet_id * 5`,
    )
    await ask(`update blocks set at = '2026-02-01'::timestamptz + number * interval '1 second'
      + case network_id when 'ethereum' then 1000 else 0 end * interval '1 second'`)
    await ask(`insert into wallet_syncs (wallet_id, network_id) values ($1, 'polygon-wallet')`, [walletId])
    await ask(
      `insert into pl_states (book_id, dirty_from, legs_changed) select id, now(), true from books where ${OWN}`,
    )
  })

  test('that are complete are those of the wallets, in the order of the networks', async () => {
    const rows = await syncs.readSyncedWallets(db, [address])
    const own = { address, walletId }
    expect(rows).toMatchObject([
      { ...own, networkId: 'ethereum', blockchain: 'ethereum' },
      { ...own, networkId, blockchain: 'base' },
    ])
    expect(rows).toHaveLength(2)
  })

  test('that a request wants are those of each of its items', async () => {
    const items = [
      { address, network: networkId, kind: 'evm' },
      { address, network: 'all', kind: 'evm' },
      { address: 'new', network: 'all', kind: 'evm' },
      { address, network: 'polygon-wallet', kind: 'evm' },
      { address, network: 'all', kind: 'bitcoin' },
    ]
    const rows = await syncs.readWantedWallets(db, items)
    const shown = rows.map((row) =>
      [
        row.position,
        row.networkId,
        row.walletId ?? 'none',
        row.isComputed ? 'computed' : 'changed',
        row.active ? 'active' : 'no source',
        row.syncedAt ? 'synced' : 'not synced',
        row.balancesAt?.getTime(),
        row.failedAt?.getTime(),
      ].join(' '),
    )
    const of = (number: number) => `${at(number).getTime()} ${at(2 * number).getTime()}`
    const own = `${networkId} ${walletId} changed active synced ${of(share)}`
    expect(shown.toSorted()).toEqual([
      `1 ${own}`,
      `2 ${own}`,
      `2 ethereum ${walletId} computed no source synced ${of(share - 1)}`,
      `3 ${networkId} none computed active not synced  `,
      `4 polygon-wallet ${walletId} computed no source not synced  `,
    ])
    expect(rows.filter(({ position }) => position === 2).map((row) => row.networkId)).toEqual([
      'ethereum',
      networkId,
    ])
  })

  test('have gaps of their own, up to the time of a block of their network', async () => {
    const asked = { address, networkIds: [networkId, 'polygon-wallet'] }
    const block = 60 + Number(walletId) * 5
    expect(await syncs.readHistoryGaps(db, asked)).toEqual([{ networkId, until: at(block) }])
    await ask('update wallet_syncs set gap_to = 61')
    expect(await syncs.readHistoryGaps(db, { address, networkIds: [networkId] })).toEqual([
      { networkId, until: null },
    ])
  })

  test('of a network that were asked for since the last one are told from those that are complete', async () => {
    const [hidden] = await ask<{ id: string }>(
      `select id from networks where not in_all and not active order by position limit 1`,
    )
    await ask(
      `insert into outbox (workflow, workflow_id, input, created_at)
       select 'syncWallet', 'sync:' || of, '{}', now() - hours * interval '1 hour'
       from (values ('w2:ethereum', 3), ('w2:' || $1, 3), ('w2:' || $1, 0), ('w2:arbitrum-wallet', 3), ('w2:' || $2, 3),
         ('w1:optimism-wallet', 3), ('w1:ethereum', 0)) as asked (of, hours)`,
      [networkId, hidden!.id],
    )
    await ask(
      `insert into outbox (workflow, workflow_id, input) values ('exportAll', 'sync:w2:optimism-wallet', '{}')`,
    )
    // The others are polled.
    await ask(`update wallet_syncs set covered_from = null where not (${OWN})`)
    const states = async () => {
      const rows = await syncs.readSyncStates(db, [address])
      return new Map(
        rows.map((row) => [
          row.networkId,
          [row.requested, row.isCurrent, row.isFollowed, row.syncedAt !== null],
        ]),
      )
    }
    await ask(`delete from account_checks`)
    await ask(`update wallet_accounts set seen_block = null`)
    await ask(`update touched_wallets set marked_at = now() - interval '1 minute'`)
    expect(await states()).toEqual(
      new Map([
        ['ethereum', [false, true, false, true]],
        [networkId, [true, false, true, true]],
        ['polygon-wallet', [false, false, false, false]],
        ['arbitrum-wallet', [true, false, false, false]],
      ]),
    )
  })

  test('have an answer when there are balances, or they have failed', async () => {
    const [other] = (await ask<{ address: string }>(`select address from wallets where id <> $1`, [
      walletId,
    ])) as [{ address: string }]
    const asked = [
      { address, networkId },
      { address, networkId: 'ethereum' },
      { address: other.address, networkId },
    ]
    for (const column of ['balances_at', 'failed_at', 'synced_at']) {
      await ask('update wallet_syncs set synced_at = null, balances_at = null, failed_at = null')
      expect(await readAnswered(db, asked)).toEqual([])
      await ask(`update wallet_syncs set ${column} = now() where ${OWN}`)
      expect(await readAnswered(db, asked)).toEqual([{ address, networkId }])
    }
  })

  test('are counted for networks with a source: failed ones are those that failed since the last that was complete', async () => {
    const counts = async () =>
      (await countWalletSyncs(ownerDb, { targetS: 1_800 })).map((row) => ({ ...row, oldestS: null }))
    const none = { of: networkId, fresh: 0, late: 0, failed: 0, pending: 0, oldestS: null }
    await ask(`delete from touched_wallets`)
    await ask(
      `update wallet_syncs set covered_from = null, failed_at = null, synced_at = now() - interval '1 hour'`,
    )
    expect(await counts()).toEqual([{ ...none, late: 2 }])
    await ask(
      `update wallet_syncs set synced_at = now(), failed_at = now() - interval '1 minute' where ${OWN}`,
    )
    expect(await counts()).toEqual([{ ...none, late: 1, fresh: 1 }])
    await ask(`update wallet_syncs set failed_at = now() where ${OWN}`)
    await ask(`update wallet_syncs set synced_at = now() - interval '1 minute' where ${OWN}`)
    expect(await counts()).toEqual([{ ...none, late: 1, failed: 1 }])
    await ask(`update wallet_syncs set synced_at = null where ${OWN}`)
    expect(await counts()).toEqual([{ ...none, late: 1, failed: 1 }])
    await ask(`update wallet_syncs set failed_at = null where ${OWN}`)
    expect(await counts()).toEqual([{ ...none, late: 1, pending: 1 }])
    expect((await countWalletSyncs(ownerDb, { targetS: 1_800 }))[0]!.oldestS).toBeCloseTo(3_600, -2)
  })
})

test.each([
  ['waits for a worker', 'no', 20, 0, 0, 'waiting', 0],
  ['has read nothing', 'yes', 20, 10, 10, 'reading', 0],
  ['has read half', 'yes', 20, 15, 10, 'reading', 0.25],
  ['has derived half', 'yes', 20, 20, 15, 'deriving', 0.7],
  ['has derived all', 'yes', 20, 21, 20, 'computing', 0.9],
  ['has nothing to read', 'yes', 10, 10, 10, 'computing', 0.9],
  ['has no head', 'yes', null, 0, 0, 'waiting', null],
])('the progress of a sync from block 10 that %s', async (_, taken, head, cursor, derived, stage, part) => {
  await ask('truncate outbox')
  await ask(
    `insert into outbox (workflow, workflow_id, input, dispatched_at)
     values ('syncWallet', 'sync:w2:' || $1, '{}', case $2 when 'yes' then now() end), ('syncWallet', 'sync:w1:' || $1, '{}', null)`,
    [networkId, taken],
  )
  await ask(
    `update wallet_syncs set head_block = $1, cursor_block = $2, normalised_block = $3 where ${OWN}`,
    [head, cursor, derived],
  )
  const found = await readWalletProgress(db, { address, networkId, fromBlock: 10 })
  expect(found).toMatchObject({ taken: taken === 'yes', stage, rows: 6 })
  expect(found.cursor).toBe(cursor === 0 ? null : String(cursor))
  if (part === null) expect(found.share).toBe(null)
  else expect(found.share).toBeCloseTo(part, 9)
})
