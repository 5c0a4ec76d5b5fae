import { afterAll, beforeAll, expect, test } from 'vitest'
import { createNodes } from '../../activities/nodes/create-nodes.ts'
import { createUsageCounts } from '../../activities/usage-counts.ts'
import { createDefiActivities } from '../../activities/defi/index.ts'
import { LIDO } from '../../activities/defi/deployments/staking.ts'
import { PROTOCOLS } from '../../activities/defi/protocols.ts'
import { SOLANA_PROTOCOLS } from '../../activities/defi/solana/protocols.ts'
import { MULTICALL3 } from '../../db/values/networks/network.ts'
import { openEvm } from '../../activities/defi/open-evm.ts'
import { readWallets } from '../../activities/defi/read-wallets.ts'
import { createRpcClient } from '../../activities/nodes/rpc-client.ts'
import { openDb } from '../../db/connect.ts'
import { type DefiWallet, holdersToSweep, markedWallets } from '../../db/defi/due-wallets.ts'
import { tokenOf } from '../../sandbox/chain/tokens.ts'
import { codeOf } from '../../sandbox/chain/calls.ts'
import { freeHttp } from '../chain/free-http.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { address as addressOf, insertWallet } from '../setup/wallet-factories.ts'
import { startDefiChain, watchedNode } from './defi-chain.ts'
import type { DefiChain } from './defi-chain.ts'

const AAVE_CORE = '0x2f39d218133afab8f2b819b1066c7e434ad94e9e'
const COMET_USDC = '0xc3d688b66703497daa19211eedff47f25384cdc3'
const MANAGER = '0xc36442b4a4522e871399cd717abdd847ab11fe88'
const { stEth, wstEth } = LIDO.ethereum!
const USDC = tokenOf('ethereum', 'USDC').address
const ACCOUNT = addressOf(0xd1)
/** PUSH1 0 PUSH1 0 REVERT */
const REVERTING = '0x60006000fd'
const database = await testDatabase()
const { db, pool, close } = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const noSolana = { http: freeHttp({}), config: { sources: {} } }
let chain: DefiChain
let walletId: string

beforeAll(async () => {
  chain = await startDefiChain('ethereum')
  walletId = await insertWallet(db, {
    address: ACCOUNT,
    syncs: { ethereum: new Date('2026-03-01T00:00:00Z') },
  })
  await chain.node.call('anvil_setCode', USDC, codeOf('Token'))
  await chain.send(USDC, 'Token', 'init', ['USD Coin', 'USDC', 6, 0])
  await chain.send(AAVE_CORE, 'AaveMarket', 'initReserve', [USDC, 6, 10n ** 8n, 7_800n, 0n, 0n])
  await chain.send(AAVE_CORE, 'AaveMarket', 'supply', [USDC, 1_000n, ACCOUNT, 0])
  await chain.send(COMET_USDC, 'Comet', 'init', [USDC, 1_000_000n, 10n ** 8n, 0n, 0n])
  await chain.send(COMET_USDC, 'Comet', 'supplyTo', [ACCOUNT, USDC, 2_000n])
  await chain.send(stEth, 'Steth', 'init', [10n ** 18n, 0n])
  await chain.send(wstEth, 'Wsteth', 'init', [stEth])
  await chain.send(stEth, 'Steth', 'mintShares', [ACCOUNT, 3_000n])
  await chain.send(wstEth, 'Wsteth', 'mint', [ACCOUNT, 4_000n])
})
afterAll(async () => {
  await close()
  await chain.node.stop()
})

const readAll = (wallets: readonly DefiWallet[], options: { url?: string; at?: string } = {}) =>
  readWallets(
    {
      pool,
      open: openEvm({
        pool,
        client: createRpcClient({ url: options.url ?? chain.node.url, source: 'rpc:ethereum' }),
        onProgress: () => {},
      }),
      now: () => new Date(options.at ?? '2026-03-10T12:00:00Z'),
    },
    { networkId: 'ethereum', wallets },
  )

async function read(options: { url?: string; at?: string } = {}) {
  const { read: found } = await readAll([{ walletId, address: ACCOUNT, networkId: 'ethereum' }], options)
  return found.get(walletId)!
}

const stored = () =>
  query<{ protocol: string; id: string; raw: string; block: string }>(
    database.ownerUrl,
    `select asset.protocol_id as protocol, position_id as id, raw, asset.block_number as block
     from defi_assets as asset join defi_positions as position on position.id = position_id
       and position.protocol_id = asset.protocol_id and position.block_hash = asset.block_hash
     order by 1, 2, seq`,
  )
const lastRead = async () =>
  (await query<Record<string, any>>(database.ownerUrl, 'select * from defi_reads'))[0]!
const rawOf = async (protocol: string, id?: string) =>
  (await stored())
    .filter((row) => row.protocol === protocol && (id ?? row.id) === row.id)
    .map(({ raw }) => raw)

test('code and database list the same protocols on the same networks', async () => {
  const rows = await query<{ id: string; name: string; position: number; networks: string[] }>(
    database.ownerUrl,
    `select protocol.id, protocol.name, position, array_agg(network_id order by network_id) as networks
     from defi_protocols as protocol join defi_deployments on protocol_id = protocol.id group by 1, position order by protocol.id collate "C"`,
  )
  // Solana's have places of their own.
  const listed = [PROTOCOLS, SOLANA_PROTOCOLS].flatMap((list) =>
    list.map(({ id, name, networks }, i) => ({ id, name, position: i + 1, networks: networks.toSorted() })),
  )
  expect(rows).toEqual(listed.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
})

test('a synced wallet is due until it is read', async () => {
  const due = () => markedWallets(pool, { limit: 10 })
  await query(database.ownerUrl, `update networks set active = id in ('ethereum', 'rootstock-wallet')`)
  await insertWallet(db, {
    address: addressOf(0xd3),
    // One network was never synced, on the other no protocol is read.
    syncs: { ethereum: null, 'rootstock-wallet': new Date('2026-03-01T00:00:00Z') },
  })
  expect(await due()).toEqual([{ walletId, address: ACCOUNT, networkId: 'ethereum' }])
  await read()
  expect(await due()).toEqual([])
  // A later sync that finds nothing changes nothing.
  await query(
    database.ownerUrl,
    `update wallet_syncs set synced_at = '2026-03-11T00:00:00Z' where wallet_id = ${walletId}`,
  )
  expect(await due()).toEqual([])
  const holders = (before: string) => holdersToSweep(pool, { before: new Date(before), limit: 10 })
  expect(await holders('2026-03-10T11:00:00Z')).toEqual([])
  expect(await holders('2026-03-10T13:00:00Z')).toEqual([
    { walletId, address: ACCOUNT, networkId: 'ethereum' },
  ])
})

test('stores positions with block, source and time, and their tokens', async () => {
  const { number, hash } = await chain.node.call('eth_getBlockByNumber', 'latest', false)
  const [position] = await query<Record<string, any>>(
    database.ownerUrl,
    `select * from defi_positions where protocol_id = 'aave-v3'`,
  )
  expect(position).toMatchObject({
    network_id: 'ethereum',
    id: AAVE_CORE,
    health_rate: null,
    source: 'rpc:ethereum',
    block_number: String(Number(number)),
    block_hash: hash,
    fetched_at: new Date('2026-03-10T12:00:00Z'),
  })
  expect(await lastRead()).toMatchObject({
    block_hash: hash,
    failure: null,
    complete_at: new Date('2026-03-10T12:00:00Z'),
  })
  const tokens = await query(
    database.ownerUrl,
    'select address, symbol, decimals, source from tokens order by address',
  )
  expect(tokens).toEqual([
    { address: USDC, symbol: 'USDC', decimals: 6, source: 'rpc:ethereum' },
    { address: stEth, symbol: 'stETH', decimals: 18, source: 'rpc:ethereum' },
  ])
})

test('a second read changes nothing but deletes closed positions and adds new ones', async () => {
  const before = await stored()
  expect(before.map(({ raw }) => raw)).toEqual(['1000', '2000', '4000', '3000'])
  await read()
  expect(await stored()).toEqual(before)
  await chain.send(COMET_USDC, 'Comet', 'supplyTo', [ACCOUNT, USDC, 500n])
  await chain.send(AAVE_CORE, 'AaveMarket', 'withdrawAll', [USDC, ACCOUNT])
  await read()
  expect(await rawOf('aave-v3')).toEqual([])
  expect(await rawOf('compound-v3')).toEqual(['2500'])
})

test('a protocol that reverts keeps its last reading and does not affect others', async () => {
  await chain.node.call('anvil_setCode', COMET_USDC, REVERTING)
  await chain.send(stEth, 'Steth', 'mintShares', [ACCOUNT, 7n])
  const { unknown } = await read({ at: '2026-03-10T13:00:00Z' })
  expect(unknown).toBe(1)
  expect(await rawOf('compound-v3')).toEqual(['2500'])
  expect(await rawOf('lido', stEth)).toEqual(['3007'])
  const last = await lastRead()
  expect(last['failure']).toContain(`compound-v3 ${COMET_USDC}: `)
  expect(last).toMatchObject({
    fetched_at: new Date('2026-03-10T13:00:00Z'),
    // The last read in which everything answered.
    complete_at: new Date('2026-03-10T12:00:00Z'),
  })
  const blocks = new Map((await stored()).map(({ id, block }) => [id, Number(block)]))
  expect(blocks.get(COMET_USDC)).toBeLessThan(blocks.get(stEth)!)

  // A whole protocol is gone that never had a position.
  await chain.node.call('anvil_setCode', MANAGER, '0x')
  expect((await read()).unknown).toBe(2)
  expect((await lastRead())['failure']).toContain('uniswap-v3: ')
  expect(await rawOf('uniswap-v3')).toEqual([])
  for (const [at, contract] of [
    [COMET_USDC, 'Comet'],
    [MANAGER, 'PositionManager'],
  ] as const)
    await chain.node.call('anvil_setCode', at, codeOf(contract))
  expect((await read({ at: '2026-03-10T14:00:00Z' })).unknown).toBe(0)
  expect(await lastRead()).toMatchObject({ failure: null, complete_at: new Date('2026-03-10T14:00:00Z') })
})

test('every call of every protocol names the same block while others are mined', async () => {
  const blocks = new Set<string>()
  let mined = Promise.resolve(0)
  const watched = await watchedNode(chain.node, async (body) => {
    for (const { method, params } of [JSON.parse(body)].flat() as { method: string; params: any[] }[])
      if (method === 'eth_call') blocks.add(JSON.stringify(params[1]))
    mined = mined.then(() => chain.send(COMET_USDC, 'Comet', 'supplyTo', [ACCOUNT, USDC, 1n]))
    await mined
  })
  const { unknown } = await read({ url: watched.url })
  await watched.stop()
  expect(unknown).toBe(0)
  const { block_hash: blockHash, block_number: number } = await lastRead()
  expect([...blocks]).toEqual([JSON.stringify({ blockHash })])
  expect(Number(await chain.node.call('eth_blockNumber'))).toBeGreaterThan(Number(number) + 2)
  // Only the deposit mined before the head was read counts.
  expect(await rawOf('compound-v3')).toEqual(['2501'])
})

test('a node that does not answer changes nothing and raises a retryable error', async () => {
  const before = await stored()
  let calls = 0
  const away = await watchedNode(chain.node, async () => {
    if (++calls > 3) throw new Error('the connection breaks')
  })
  await expect(read({ url: away.url })).rejects.toMatchObject({ name: 'SourceUnavailable' })
  await away.stop()
  expect(await stored()).toEqual(before)
})

test('a chain without Multicall3 stores a failure, and the wallet waits for its next turn', async () => {
  const other = await insertWallet(db, {
    address: addressOf(0xd4),
    syncs: { ethereum: new Date('2026-03-01T00:00:00Z') },
  })
  const config = { rpcUrls: { ethereum: [chain.node.url] }, nodeBudgets: new Map() }
  const now = () => new Date('2026-03-12T00:00:00Z')
  const heartbeat = () => {}
  const { nodes } = createNodes({ pool, config, now, heartbeat, usage: createUsageCounts(now) })
  const activities = createDefiActivities({ pool, now, heartbeat, nodes, ...noSolana })
  const code = await chain.node.call('eth_getCode', MULTICALL3, 'latest')
  await chain.node.call('anvil_setCode', MULTICALL3, '0x')
  const due = async () => (await markedWallets(pool, { limit: 9 })).map((one) => one.walletId)
  expect(await due()).toContain(other)
  const wallet = { walletId: other, address: addressOf(0xd4), networkId: 'ethereum' }
  await expect(activities.readFirstPositions(wallet)).rejects.toMatchObject({ name: 'SourceRejected' })
  const [row] = await query<Record<string, any>>(
    database.ownerUrl,
    `select * from defi_reads where wallet_id = ${other}`,
  )
  expect(row).toMatchObject({ block_number: null, fetched_at: null, complete_at: null, failed_at: now() })
  expect(row!['failure']).toContain('no Multicall3')
  expect(await due()).not.toContain(other)
  await chain.node.call('anvil_setCode', MULTICALL3, code)
  await query(database.ownerUrl, 'update defi_marks set next_at = now()')
  expect(await activities.readDueDefi({ olderThanSeconds: 60, limit: 9 })).toMatchObject({ failed: 0 })
  expect(await query(database.ownerUrl, 'select from defi_marks')).toEqual([])
  const [again] = await query<Record<string, any>>(
    database.ownerUrl,
    `select * from defi_reads where wallet_id = ${other}`,
  )
  expect(again).toMatchObject({ failure: null, failed_at: null, complete_at: now(), fetched_at: now() })
})

test('does not write an older block than the stored one', async () => {
  const snapshot = await chain.node.call('evm_snapshot')
  await chain.send(stEth, 'Steth', 'mintShares', [ACCOUNT, 1n])
  await read()
  const newest = await stored()
  await chain.node.call('evm_revert', snapshot)
  await read()
  expect(await stored()).toEqual(newest)
})

/** Counts the calls in requests to the node. */
async function countCalls(work: (url: string) => Promise<unknown>): Promise<number> {
  let calls = 0
  const watched = await watchedNode(chain.node, async (body) => {
    calls += [JSON.parse(body)].flat().length
  })
  await work(watched.url)
  await watched.stop()
  return calls
}

test('twenty wallets that are read together cost few calls more than one', async () => {
  const wallets: DefiWallet[] = []
  for (let number = 0; number < 20; number++) {
    const address = addressOf(0xe00 + number)
    const id = await insertWallet(db, { address, syncs: { ethereum: new Date('2026-03-01T00:00:00Z') } })
    await chain.send(COMET_USDC, 'Comet', 'supplyTo', [address, USDC, BigInt(100 + number)])
    wallets.push({ walletId: id, address, networkId: 'ethereum' })
  }
  const alone = await countCalls((url) => readAll(wallets.slice(0, 1), { url }))
  const together = await countCalls((url) => readAll(wallets, { url }))
  expect(together).toBeLessThanOrEqual(2 * alone)
  const rows = await query<{ raw: string }>(
    database.ownerUrl,
    `select raw from defi_assets join wallets on id = wallet_id where protocol_id = 'compound-v3' and address = any($1) order by raw`,
    [wallets.map(({ address }) => address)],
  )
  expect(rows.map(({ raw }) => Number(raw))).toEqual(wallets.map((_, number) => 100 + number))
})

test('a wallet whose rows cannot be written is set aside alone, and is due again later', async () => {
  const { rows } = await pool.query<{ wallet_id: string }>(
    `select wallet_id from defi_positions where protocol_id = 'compound-v3' order by wallet_id desc limit 2`,
  )
  const [bad, good] = rows.map((row) => row.wallet_id) as [string, string]
  await query(
    database.ownerUrl,
    `insert into defi_marks (wallet_id, network_id) values (${bad}, 'ethereum'), (${good}, 'ethereum')`,
  )
  await query(
    database.ownerUrl,
    `create function refuse_read() returns trigger language plpgsql as $$ begin raise 'poisoned'; end $$;
     create trigger refuse_read before update on defi_reads for each row when (new.wallet_id = ${bad} and new.failed_at is null) execute function refuse_read()`,
  )
  const config = { rpcUrls: { ethereum: [chain.node.url] }, nodeBudgets: new Map() }
  const now = () => new Date('2026-03-12T00:00:00Z')
  const heartbeat = () => {}
  const { nodes } = createNodes({ pool, config, now, heartbeat, usage: createUsageCounts(now) })
  const activities = createDefiActivities({ pool, now, heartbeat, nodes, ...noSolana })
  const { read: count, failed } = await activities.readDueDefi({ olderThanSeconds: 86_400_000, limit: 9 })
  await query(database.ownerUrl, 'drop trigger refuse_read on defi_reads')
  expect([count, failed]).toEqual([1, 1])
  const marks = await query<Record<string, any>>(
    database.ownerUrl,
    'select wallet_id, attempts, next_at > now() as waits from defi_marks',
  )
  expect(marks).toEqual([{ wallet_id: bad, attempts: 1, waits: true }])
})

test('a sweep waits while the nodes have used more of their budget than the day has passed', async () => {
  const config = {
    rpcUrls: { ethereum: [chain.node.url] },
    nodeBudgets: new Map([['127.0.0.1', { aDay: 1_000, aSecond: null }]]),
  }
  // At one o'clock of the day, 2 of 24 parts of the 200 units for wallets may be used.
  const now = () => new Date('2026-03-13T01:00:00Z')
  const heartbeat = () => {}
  const { nodes } = createNodes({ pool, config, now, heartbeat, usage: createUsageCounts(now) })
  const activities = createDefiActivities({ pool, now, heartbeat, nodes, ...noSolana })
  await query(database.ownerUrl, 'truncate defi_marks')
  const sweep = () => activities.readDueDefi({ olderThanSeconds: 0, limit: 100 })
  expect(await sweep()).toMatchObject({ failed: 0 })
  const client = await nodes('ethereum', 'wallets')
  while (client.isOnPace) await client.call('eth_blockNumber')
  expect(await sweep()).toMatchObject({ read: 0, failed: 0 })
  // What something happened to is read nevertheless.
  await query(
    database.ownerUrl,
    `insert into defi_marks (wallet_id, network_id) values (${walletId}, 'ethereum')`,
  )
  expect(await sweep()).toMatchObject({ read: 1, failed: 0 })
})
