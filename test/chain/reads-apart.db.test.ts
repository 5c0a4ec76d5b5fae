import { expect, test } from 'vitest'
import type pg from 'pg'
import { walletsToCheck } from '../../db/chain/account-checks.ts'
import { coinsOfWallets, movedCoins, storedBalances } from '../../db/chain/balances.ts'
import { storedOutputs, unspentOutputs, usedAddresses } from '../../db/chain/bitcoin-wallets.ts'
import { countRewinds, holdBranch, readBranch } from '../../db/chain/branches.ts'
import { coinsToPrice } from '../../db/chain/coins-to-price.ts'
import { coveredWallets, uncoveredWallets } from '../../db/chain/coverage.ts'
import * as follows from '../../db/chain/follows.ts'
import { listMovements } from '../../db/chain/label-movements.ts'
import { readMarks } from '../../db/chain/marks.ts'
import { quietWallets } from '../../db/chain/quiet-wallets.ts'
import * as progress from '../../db/chain/sync-progress.ts'
import { contractsOfCoins, unknownTokens, usedTokens } from '../../db/chain/tokens.ts'
import { heldTokens, tokenAssets } from '../../db/chain/wallet-assets.ts'
import { findStored, rangeTokens, rawTransactions, walletHashes } from '../../db/chain/wallet-raw.ts'
import { timesBefore } from '../../db/chain/write-wallet.ts'
import { confirmedBlock, newestBlocks, storedHashes } from '../../db/chain/write.ts'
import { transact } from '../../db/transact.ts'
import { twoOfEach } from './two-of-each.ts'

// What is read of one wallet on one network has no part of another's.

const world = await twoOfEach()
const { db, pool, ask, networkId, walletId, walletIds, address, owner, owners, share, hashesOf } = world
const key = { walletId, networkId }
const ids = { networkId, walletIds: [walletId] }
const scope = { networkId, addresses: [address] }
const own = { walletId, address }
const at = (block: number) => new Date(Date.UTC(2026, 0, 1, 0, block, share))
const ranges = [{ walletId, addresses: [address], fromBlock: 60, toBlock: 89 }]
const hashes = owners.flatMap(hashesOf)
const inOne = (work: (client: pg.PoolClient) => Promise<unknown>) => () =>
  transact(pool, ({ client }) => work(client))

test.each<[what: string, read: () => Promise<unknown>, expected: unknown]>([
  ['place', () => progress.readPlace(pool, key), { cursor: 100 + share, gap: { fromBlock: share } }],
  ['marks', inOne((client) => progress.lockMarks(client, key)), { cursor: 100 + share }],
  [
    'first sync',
    inOne((client) => progress.wasSynced(client, { walletId, networkId: 'polygon-wallet' })),
    false,
  ],
  [
    'accounts',
    () => progress.readAccounts(pool, key),
    [{ account: `address-${owner}` }, { account: `wallet-${owner}` }],
  ],
  ['addresses', () => progress.ownAddresses(pool, { networkId, address }), [address, `address-${owner}`]],
  ['balances', inOne((client) => storedBalances(client, ids)), [{ walletId, coinId: `coin-${owner}` }]],
  ['coins', () => coinsOfWallets(pool, ids), [{ walletId, coinId: `coin-${owner}` }]],
  [
    'used addresses',
    async () => [...(await usedAddresses(pool, { networkId, wallets: [address] }))],
    [[address, [`address-${owner}`]]],
  ],
  [
    'unspent outputs',
    async () => [
      ...(await unspentOutputs(pool, {
        networkId,
        throughBlock: 60,
        wallets: [{ walletId, addresses: [address] }],
      })),
    ],
    [[walletId, BigInt(share - 1)]],
  ],
  ['coverage', inOne((client) => coveredWallets(client, scope)), [own]],
  [
    'touch',
    () => readMarks(pool, { ...ids, isTaken: false }),
    [{ walletId, addresses: [address, `address-${owner}`] }],
  ],
  [
    'time before a block',
    async () => [
      ...((await inOne((client) =>
        timesBefore(client, { networkId, ranges: [{ walletId, fromBlock: 90, toBlock: 99 }] }),
      )()) as Map<string, Date>),
    ],
    [[walletId, at(70)]],
  ],
  [
    'movements of a transaction',
    () => listMovements(db, { networkId, address, hash: 'both' }),
    [{ coin_id: `coin-${owner}` }],
  ],
  ['tokens', () => usedTokens(pool, scope), [{ address: `token-${owner}`, receivers: 90, isNft: false }]],
  ['held tokens', () => heldTokens(pool, scope), [{ coin_id: `coin-${owner}` }]],
  [
    'tokens of a range',
    () => rangeTokens(pool as never, { networkId, ranges }),
    [{ walletId, address: `token-${owner}`, receivers: 60, isNft: false, moves: true }],
  ],
  [
    'transactions of a range',
    inOne((client) => walletHashes(client, { networkId, ranges, limit: 9 })),
    [{ hashes: [`tx-${owner}-60`], through: 89 }],
  ],
  [
    'coins to price',
    () => coinsToPrice(pool, scope),
    { from: at(60), coinIds: ['bitcoin', `coin-${owner}`, 'ethereum'] },
  ],
  [
    'accounts to check',
    () =>
      walletsToCheck(pool, { networkId, span: { first: walletId, next: null, at: new Date() }, limit: 9 }),
    [
      {
        ...own,
        cursor: 100 + share,
        accounts: [{ account: `address-${owner}` }, { account: `wallet-${owner}` }],
      },
    ],
  ],
])('%s of a wallet on a network', async (_, read, expected) => {
  const found = await read()
  if (typeof expected === 'object') expect(found).toMatchObject(expected as object)
  else expect(found).toBe(expected)
})

test('the sum of what moved is that of the coins of a wallet on a network, up to a block', async () => {
  const coin = { walletId, coinId: `coin-${owner}`, since: 0 }
  const asked = { networkId, coins: [coin], toBlock: 89 }
  // A transfer and an opening of each of the blocks 60 and 70.
  expect(await movedCoins(pool, asked)).toMatchObject([
    { wallet_id: walletId, raw: String(4 * share), movements: 4, opened: String(2 * share), short: null },
  ])
})

test('a check of a span ends before the next span', async () => {
  const span = { first: walletIds[0]!, next: walletId, at: new Date() }
  const found = await walletsToCheck(pool, { networkId, span, limit: 9 })
  expect(found).toMatchObject([{ walletId: walletIds[0], address: 'w1' }])
})

test('raw rows of transactions are those of a network, and of the addresses if they have two sides', async () => {
  const { transactions, transfers } = (await inOne((client) =>
    rawTransactions(client, { networkId, addresses: [address], hashes }),
  )()) as Awaited<ReturnType<typeof rawTransactions>>
  const onNetwork = owners.filter((one) => one.startsWith(networkId)).flatMap(hashesOf)
  expect(transactions.map(({ hash }) => hash).toSorted()).toEqual(onNetwork.toSorted())
  const twoSided = transfers.filter(({ from_address: from, to_address: to }) => from !== '' && to !== '')
  expect([...new Set(twoSided.map(({ tx_hash }) => tx_hash))]).toEqual(hashesOf(owner))
  expect([...new Set(transfers.map(({ tx_hash }) => tx_hash))].toSorted()).toEqual(onNetwork.toSorted())
  expect(await findStored(pool as never, { networkId, address, hashes })).toEqual(new Set(hashesOf(owner)))
})

test('outputs and tokens are those of the network', async () => {
  const onNetwork = owners.filter((one) => one.startsWith(networkId))
  const outputs = await storedOutputs(pool, { networkId, txids: hashes })
  expect(outputs.map(({ txid }) => txid).toSorted()).toEqual(onNetwork.flatMap(hashesOf).toSorted())
  const coinIds = owners.map((one) => `coin-${one}`)
  const tokens = owners.map((one) => `token-${one}`)
  const expected = onNetwork.map((one) => `token-${one}`)
  expect((await contractsOfCoins(pool, { networkId, coinIds })).map((one) => one.address)).toEqual(expected)
  const assets = await tokenAssets(pool, { networkId, addresses: tokens })
  expect(assets.map((one) => one.address).toSorted()).toEqual(expected)
  expect(await unknownTokens(pool, { networkId, addresses: tokens })).toEqual(
    tokens.filter((one) => !expected.includes(one)),
  )
})

test('a network has a follower, blocks and rewinds of its own', async () => {
  const cursor = { number: 200, hash: `${networkId}-200` }
  expect(await follows.readFollow(pool, networkId)).toMatchObject({ cursor })
  expect(await inOne((client) => follows.lockFollow(client, { networkId, epoch: '7' }))()).toMatchObject({
    cursor,
  })
  expect(await inOne((client) => follows.lockFollow(client, { networkId, epoch: '6' }))()).toBe(null)
  expect(await follows.readCursor(pool, networkId)).toMatchObject(cursor)
  expect(await readBranch(pool, networkId)).toEqual({ node: networkId, heldUntil: null })
  const day = 24 * 3_600_000
  expect(await countRewinds(pool, { networkId, block: 60, withinMs: 2 * day })).toBe(1)
  expect(await countRewinds(pool, { networkId, block: 61, withinMs: 2 * day })).toBe(0)
  const blockOf = (number: number) => ({ number, hash: `${networkId}-${number}` })
  expect(await newestBlocks(pool, { networkId, below: 95, limit: 2 })).toEqual([blockOf(90), blockOf(85)])
  expect([...(await storedHashes(pool, { networkId, numbers: [90] }))]).toEqual([[90, `${networkId}-90`]])
  // The blocks with transactions.
  expect(await follows.blocksToConfirm(pool, { networkId, above: 59, through: 90 })).toEqual([
    blockOf(60),
    blockOf(90),
  ])
  expect(await follows.blocksToConfirm(pool, { networkId, above: 60, through: 89 })).toEqual([])
  const isStored = (block: { number: number; hash: string }) =>
    inOne((client) => follows.isStored(client, { networkId, block }))()
  expect(await isStored(blockOf(90))).toBe(true)
  expect(await isStored({ number: 90, hash: 'ethereum-90' })).toBe(false)
  expect(await isStored({ number: 50, hash: 'confirmed' })).toBe(true)
  expect(await isStored({ number: 51, hash: 'other' })).toBe(false)
  await ask(`update network_follows set confirmed_block = 49 where network_id <> $1`, [networkId])
  expect(await inOne((client) => confirmedBlock(client, networkId))()).toBe(50)
  await ask(`insert into blocks values ($1, 101, '', null, now(), 'test', now())`, [networkId])
  await ask(`insert into blocks values ('ethereum', 102, '', null, now(), 'test', now())`)
  expect(await follows.hasEveryBlock(pool, { networkId, above: 99, through: 101 })).toBe(true)
  expect(await follows.hasEveryBlock(pool, { networkId, above: 99, through: 102 })).toBe(false)
})

test('rewinds are counted since a time, and since its follower was last made to stay on a branch', async () => {
  const hour = 3_600_000
  const count = (withinMs: number) => countRewinds(pool, { networkId, block: 60, withinMs })
  const hold = (network: string, until: Date) =>
    holdBranch(pool, { networkId: network, node: network, until })
  // The rewind was a day ago. The other network has a later one.
  await ask(`insert into network_rewinds values ('ethereum', now() - interval '1 hour', 60, 1)`)
  expect([await count(23 * hour), await count(25 * hour)]).toEqual([0, 1])
  // A hold lasts as long as the time within which rewinds count.
  await hold('ethereum', new Date(Date.now() + 47 * hour))
  expect(await count(48 * hour)).toBe(1)
  await hold(networkId, new Date(Date.now() + 23 * hour))
  expect(await count(48 * hour)).toBe(1)
  await hold(networkId, new Date(Date.now() + 25 * hour))
  expect(await count(48 * hour)).toBe(0)
})

test('a follower takes up the wallets of its network that are read up to a block', async () => {
  const asked = { networkId, readThrough: 100 + share }
  expect(await uncoveredWallets(pool, asked)).toEqual([])
  await ask('update wallet_syncs set covered_from = null')
  expect(await uncoveredWallets(pool, asked)).toEqual([own])
  await ask(`update wallet_syncs set paused_until = now() + interval '1 hour' where network_id = $1`, [
    networkId,
  ])
  expect(await uncoveredWallets(pool, asked)).toEqual([])
  await ask('update wallet_syncs set covered_from = 90, paused_until = null')
})

test('a wallet of a network is quiet as long as nothing has happened to it there', async () => {
  const quiet = async () =>
    (await quietWallets(pool, { networkId, part: 0, parts: 1 })).map((one) => one.walletId)
  expect(await quiet()).toEqual([])
  await ask('delete from touched_wallets where wallet_id = $1', [walletId])
  expect(await quiet()).toEqual([walletId])
  await ask('update wallet_syncs set cursor_block = 88')
  expect(await quiet()).toEqual([])
  await ask('update wallet_syncs set cursor_block = 89')
  expect(await quiet()).toEqual([walletId])
})
