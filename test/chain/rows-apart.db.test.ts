import { expect, test } from 'vitest'
import type pg from 'pg'
import { divideSpan, noteChecks } from '../../db/chain/account-checks.ts'
import { writeBalances } from '../../db/chain/balances.ts'
import { holdBranch } from '../../db/chain/branches.ts'
import { coverWallets, pauseWallets } from '../../db/chain/coverage.ts'
import * as follows from '../../db/chain/follows.ts'
import { labelMovements } from '../../db/chain/label-movements.ts'
import { postponeMark, settleMarks, wakeMark } from '../../db/chain/marks.ts'
import { deleteOpeningRows, deleteOpenings } from '../../db/chain/openings.ts'
import * as progress from '../../db/chain/sync-progress.ts'
import { completeSync, failSync, keepFirstBalances, startSync } from '../../db/chain/syncs.ts'
import { reclassifyTokens } from '../../db/chain/tokens.ts'
import { markToAskAgain, markTouched } from '../../db/chain/touched.ts'
import { deleteDerived } from '../../db/chain/write-wallet.ts'
import { rewindNetwork } from '../../db/chain/write.ts'
import { transact } from '../../db/transact.ts'
import { changedRows } from '../setup/changed-rows.ts'
import { twoOfEach } from './two-of-each.ts'

// What is done for one wallet on one network changes its rows alone, and what is done for a network leaves the other
// network as it is.

const { database, db, pool, ask, networkId, walletId, walletIds, address, owner, share } = await twoOfEach()
const key = { walletId, networkId }
const ids = { networkId, walletIds: [walletId] }
const attempt = { networkId, epoch: '7' }
const cursor = 100 + share
const stored = { networkId, block: { number: 91, hash: 'hash' }, source: 'test', fetchedAt: new Date() }
const blocks = { fromBlock: 80, throughBlock: 95 }
const inOne = (work: (client: pg.PoolClient) => Promise<unknown>) => () =>
  transact(pool, ({ client }) => work(client))

/** The network of each row, its wallet if it has one, and what else names it. */
const OF_WALLET = `network_id || '#' || wallet_id`
const TABLES = {
  wallet_syncs: OF_WALLET,
  wallet_accounts: `${OF_WALLET} || ' ' || account`,
  wallet_transactions: `${OF_WALLET} || ' ' || hash`,
  movements: `${OF_WALLET} || ' ' || tx_hash`,
  movement_labels: `${OF_WALLET} || ' ' || tx_hash`,
  balances: `${OF_WALLET} || ' ' || coin_id`,
  touched_wallets: OF_WALLET,
  pl_states: `(select ${OF_WALLET} from books where id = book_id)`,
  tokens: 'substr(address, 7)',
  network_follows: 'network_id',
  blocks: `network_id || ' ' || number`,
  transactions: `network_id || ' ' || block_number`,
  transfers: `network_id || ' ' || block_number`,
  account_checks: `network_id || ' ' || first_wallet`,
  network_rewinds: `network_id || ' ' || extract(day from now() - at)`,
}
const changed = async (work: () => Promise<unknown>) =>
  [...new Set(await changedRows(database, TABLES, work))].toSorted()

test.each<[what: string, work: () => Promise<unknown>]>([
  ['a sync starts', () => startSync(pool, { address, networkId, headBlock: cursor + 1 })],
  [
    'a cursor moves',
    inOne((client) =>
      progress.moveCursor(client, {
        ...key,
        from: cursor,
        to: cursor + 1,
        headBlock: cursor + 1,
        normalisedAtMost: cursor + 1,
        walk: null,
        gap: null,
      }),
    ),
  ],
  ['a wallet joins the follower', inOne((client) => progress.joinFollower(client, key))],
  ['rows are derived', inOne((client) => progress.moveNormalised(client, { ...key, to: 200 }))],
  ['a sync is complete', () => completeSync(pool, key)],
  ['a sync fails', () => failSync(pool, { address, networkId, failure: 'test' })],
  ['late rows are to be derived', () => progress.normaliseFrom(pool, { ...key, fromBlock: 99 })],
  ['a gap is read again', () => progress.reopenGap(pool, key)],
  [
    'accounts are stored',
    inOne((client) =>
      progress.writeAccounts(client, {
        ...key,
        source: 'test',
        fetchedAt: new Date(),
        accounts: [{ account: `wallet-${owner}`, role: 'wallet', readBlock: 99, newest: null }],
      }),
    ),
  ],
  ['a mark is postponed', () => postponeMark(pool, key)],
  [
    'a mark is settled in part',
    inOne((client) =>
      settleMarks(client, {
        networkId,
        walletIds: [],
        left: [{ walletId, fromBlock: 81, throughBlock: 95, reason: 'block', waitMs: null, since: 'mark' }],
      }),
    ),
  ],
  ['a mark is woken', inOne((client) => wakeMark(client, key))],
  ['a mark is settled', inOne((client) => settleMarks(client, { ...ids, left: [] }))],
  [
    'a wallet is touched',
    inOne((client) =>
      markTouched(client, { networkId, touches: [{ walletId, fromBlock: 81, throughBlock: 95 }] }),
    ),
  ],
  [
    'an explorer is to be asked again',
    inOne((client) => markToAskAgain(client, { ...key, ...blocks, waitMs: 1 })),
  ],
  ['a wallet is paused', inOne((client) => pauseWallets(client, { ...ids, until: new Date() }))],
  ['a wallet is covered', inOne((client) => coverWallets(client, { ...ids, fromBlock: 90 }))],
  [
    'balances are written',
    inOne((client) =>
      writeBalances(client, {
        ...stored,
        wallets: [
          { walletId, isWhole: true, balances: [{ coinId: 'other', token: null, raw: 1n, decimals: 18 }] },
        ],
      }),
    ),
  ],
  [
    'balances become zero',
    inOne((client) =>
      writeBalances(client, {
        ...stored,
        wallets: [
          { walletId, isWhole: false, balances: [{ coinId: 'other', token: null, raw: 0n, decimals: 18 }] },
        ],
      }),
    ),
  ],
  [
    'a movement is labelled',
    () => labelMovements(db, { address, networkId, hash: 'both', seq: 0, role: 'spam', now: new Date() }),
  ],
  [
    'a label is removed',
    () => labelMovements(db, { address, networkId, hash: 'both', seq: null, role: null, now: new Date() }),
  ],
  [
    'a token becomes spam',
    inOne((client) =>
      reclassifyTokens(client, {
        networkId,
        tokens: [{ address: `token-${owner}`, coinId: 'spam', spamReason: 'advertises', isNew: false }],
      }),
    ),
  ],
])('when %s, only rows of that wallet on that network change', async (_, work) => {
  const rows = await changed(work)
  expect(new Set(rows.map((id) => id.split(' ')[0]))).toEqual(new Set([owner]))
})

test('derived rows are deleted from the first block of a range to the last, but no openings', async () => {
  const ranges = [{ walletId, fromBlock: 61, toBlock: 90 }]
  expect(await changed(inOne((client) => deleteDerived(client, { networkId, ranges })))).toEqual([
    `${owner} both`,
    `${owner} tx-${owner}-90`,
  ])
})

test('first balances are kept only for a wallet that is not synced, on that network', async () => {
  const keep = inOne((client) => keepFirstBalances(client, key))
  expect(await changed(keep)).toEqual([])
  await ask('update wallet_syncs set synced_at = null')
  expect(await changed(keep)).toEqual([owner])
})

/** The owners of openings on the network. */
const openingsIn = (table: string) =>
  ask<{ owner: string }>(`select ${OF_WALLET} as owner from ${table} where network_id = $1`, [networkId])
const MOVEMENTS = `(select * from movements where role = 'opening')`
const TRANSACTIONS = `(select * from wallet_transactions where type = 'balance')`
const openingsOf = (of: string) =>
  ['both', `tx-${of}-60`, `tx-${of}-90`].map((hash) => `${of} balance:${hash}`)

test('openings of a coin are deleted with their transactions, for one wallet and network', async () => {
  const other = `${networkId}#${walletIds[0]}`
  const coins = [{ walletId: walletIds[0]!, coinId: `coin-${other}` }]
  expect(await changed(inOne((client) => deleteOpenings(client, { networkId, coins })))).toEqual(
    openingsOf(other),
  )
  for (const table of [MOVEMENTS, TRANSACTIONS])
    expect(await openingsIn(table)).toEqual(openingsOf(owner).map(() => ({ owner })))
})

test('the transactions of openings are deleted without their movements, for one wallet and network', async () => {
  const rows = inOne((client) => deleteOpeningRows(client, key))
  expect(await changed(rows)).toEqual(openingsOf(owner))
  expect(await openingsIn(TRANSACTIONS)).toEqual([])
  expect(await openingsIn(MOVEMENTS)).toEqual(openingsOf(owner).map(() => ({ owner })))
})

const method = { mode: 'blocks', method: 'receipts', tickMs: 1, reason: null, node: null } as const

test.each<[what: string, work: () => Promise<unknown>, rows?: string[]]>([
  ['a branch is held', () => holdBranch(pool, { networkId, node: 'other', until: new Date() })],
  ['a follower begins', () => follows.beginFollow(pool, networkId)],
  [
    'a follower moves',
    inOne((client) =>
      follows.moveFollow(client, {
        networkId,
        cursor: { number: 201, hash: 'hash' },
        cursorAt: new Date(),
        headBlock: 202,
        method,
      }),
    ),
  ],
  ['a follower is at the head', () => follows.noteAtHead(pool, { networkId, epoch: '8' })],
  ['a follower has trouble', () => follows.noteTrouble(pool, { networkId, epoch: '8', reason: 'test' })],
  [
    'a span is divided',
    () => divideSpan(pool, { networkId, span: { first: '1', next: null, at: new Date() }, before: '2' }),
    [`${networkId} 2`],
  ],
  [
    'a span is checked',
    inOne((client) =>
      noteChecks(client, {
        networkId,
        span: { first: '1', next: '2', at: new Date() },
        listedIds: [],
        changed: [],
      }),
    ),
    [`${networkId} 1`],
  ],
  [
    'blocks are confirmed',
    inOne((client) => follows.confirmThrough(client, { networkId, epoch: '8', above: 50, block: 80 })),
    [networkId, ...[50, 55, 65, 70, 75].map((block) => `${networkId} ${block}`)],
  ],
  ['it is rewound', inOne((client) => rewindNetwork(client, { networkId, block: 80 }))],
  ['a follower is idle', () => follows.noteIdle(pool, { networkId, epoch: '8' })],
  [
    'a follower begins anew',
    inOne((client) => follows.restartFollow(client, { networkId, epoch: '8', from: 90 })),
  ],
  ['a follower ends', () => follows.endFollow(pool, { networkId, epoch: '8', reason: 'test' })],
  ['any follower ends', () => follows.endFollow(pool, { networkId, epoch: null, reason: 'test' })],
])('when %s, only rows of that network change', async (_, work, rows) => {
  const names = await changed(work)
  expect(new Set(names.map((id) => id.split(/[ #]/)[0]))).toEqual(new Set([networkId]))
  if (rows) expect(names).toEqual(rows)
})

test.each<[what: string, work: () => Promise<unknown>]>([
  ['is at the head', () => follows.noteAtHead(pool, attempt)],
  ['has trouble', () => follows.noteTrouble(pool, { ...attempt, reason: 'test' })],
  ['is idle', () => follows.noteIdle(pool, attempt)],
  ['begins anew', inOne((client) => follows.restartFollow(client, { ...attempt, from: 1 }))],
  ['ends', () => follows.endFollow(pool, { ...attempt, reason: 'test' })],
  [
    'confirms blocks',
    inOne((client) => follows.confirmThrough(client, { ...attempt, above: 89, block: 90 })),
  ],
])('a follower that a later one has taken over from, and that %s, changes nothing', async (_, work) => {
  expect(await changed(work)).toEqual([])
})
