import { encodeAbiParameters, toEventSelector } from 'viem'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { ChainNetwork } from '../../activities/chain/networks.ts'
import { NATIVE_LOGS } from '../../activities/chain/sources/decode-log.ts'
import { nativeContracts } from '../../activities/chain/sources/native-transfers.ts'
import { openDb } from '../../db/connect.ts'
import { networkOf } from '../../db/chain/wallet-assets.ts'
import { syncDirectly, testNetwork } from '../chain/sync-directly.ts'
import { chainRows, emptyTables, follow, NETWORK } from '../follow/follow-directly.ts'
import { memoryNode } from '../follow/memory-node.ts'
import type { MemoryNode } from '../follow/memory-node.ts'
import { testDatabase } from '../setup/database.ts'
import { address } from '../setup/wallet-factories.ts'
import { createMemoryChain, tokenTransfer, topicOf, TRANSFER_TOPIC } from '../upstreams/nodes/chain.ts'
import { ENTRY_POINT, userOperation } from '../upstreams/nodes/user-operation.ts'
import type { LogSpec, MemoryChain, TransactionSpec } from '../upstreams/nodes/chain.ts'
import { deriveAll } from './derive-directly.ts'

/** Native coins that move without a plain payment, on a chain in memory without traces and explorer. */

const [payer, wallet, bundler, sponsor, token] = [1, 2, 3, 4, 5].map(address) as [
  string,
  string,
  string,
  string,
  string,
]
const ETHER = 10n ** 18n
const { reorgDepth } = NETWORK
const databases = [await testDatabase(), await testDatabase()]
const [{ pool }, polled] = databases.map(({ ingestUrl }) =>
  openDb({ url: ingestUrl, maxConnections: 6, applicationName: 'test' }),
) as [ReturnType<typeof openDb>, ReturnType<typeof openDb>]
const owners = databases.map(({ ownerUrl }) =>
  openDb({ url: ownerUrl, maxConnections: 1, applicationName: 'test' }),
)
let chain: MemoryChain
let node: MemoryNode
let server: Awaited<ReturnType<MemoryNode['serve']>>
let network: ChainNetwork
let follower: Awaited<ReturnType<typeof follow>>

afterAll(() => Promise.all([polled.close(), ...owners.map((one) => one.close())]))

/** A wallet with 10 coins whose history is complete and that a follower covers. */
beforeEach(async () => {
  for (const owner of owners) await emptyTables(owner.pool)
  chain = createMemoryChain({ funds: { [payer]: 10n ** 30n } })
  chain.mine({ from: payer, to: wallet, value: 10n * ETHER })
  for (let i = 0; i < 30; i++) chain.mine()
  node = memoryNode(chain)
  server = await node.serve()
  network = await testNetwork(pool, { networkId: 'ethereum', url: server.url, reorgDepth })
  await syncDirectly({ pool, network, address: wallet })
  const contracts = nativeContracts(await networkOf(pool, 'ethereum'))
  follower = await follow({ pool, node }, { ...NETWORK, contracts })
  await follower.catchUp()
  await deriveAll({ pool, network })
  return () => server.stop()
})

async function derived(): Promise<void> {
  await follower.catchUp()
  await deriveAll({ pool, network })
  // What nothing explains waits for explorers, which lag.
  await pool.query('update touched_wallets set next_at = now()')
  await deriveAll({ pool, network })
}

/** Role, amount in base units and counterparty of what the last transaction moved. */
async function movements(): Promise<string[]> {
  const { rows } = await pool.query(
    `select concat_ws(' ', role, raw, counterparty) as text from movements
     where block_number = (select max(block_number) from movements) order by seq`,
  )
  return rows.map(({ text }) => text)
}

async function served() {
  const { rows } = await pool.query(
    `select type, fragment::jsonb as body from wallet_transactions where type <> 'balance'
     order by block_number desc, tx_index desc limit 1`,
  )
  const { type, body } = rows[0]
  return { type, label: body.type, hash: body.hash, fee: body.fee?.count, approval: body.approval?.count }
}

/** Nothing is left to explain: movements add up to the balance that the node tells. */
async function expectExplained(): Promise<void> {
  const { rows } = await pool.query(
    `select (select sum(raw)::text from movements where coin_id = 'ethereum') as moved,
       (select raw::text from balances where coin_id = 'ethereum') as held,
       (select count(*)::int from movements where role = 'opening') as openings`,
  )
  const held = chain.nativeBalance(wallet, chain.head()).toString()
  expect(rows[0]).toEqual({ moved: held, held, openings: 0 })
}

async function expectAsPolled(): Promise<void> {
  const options = { networkId: 'ethereum', url: server.url, reorgDepth }
  const one = await testNetwork(polled.pool, options)
  await syncDirectly({ pool: polled.pool, network: one, address: wallet })
  expect(await chainRows(pool)).toEqual(await chainRows(polled.pool))
}

describe('case 33 an operation of a smart account (ERC-4337)', () => {
  const operation = (paymaster: string, gasCost: bigint, emitter = ENTRY_POINT): LogSpec => ({
    ...userOperation({ sender: wallet, paymaster, gasCost }),
    address: emitter,
  })
  const nobody = `0x${'0'.repeat(40)}`
  const run = (logs: LogSpec[], more: Partial<TransactionSpec> = {}): TransactionSpec => ({
    from: bundler,
    to: ENTRY_POINT,
    input: '0x765e827f',
    logs,
    ...more,
  })
  const sentTokens = tokenTransfer({ token, from: wallet, to: payer, raw: 40n }).logs![0]!

  beforeEach(async () => {
    chain.mine(tokenTransfer({ token, from: payer, to: wallet, raw: 100n }))
    await derived()
  })

  test('costs what the event says where no paymaster pays; the sender of the transaction is no party', async () => {
    // The account sends twice as much as the operation costs; the rest stays there.
    const internals = [{ from: wallet, to: ENTRY_POINT, value: 2_000n }]
    chain.mine(run([sentTokens, operation(nobody, 1_000n)], { internals }))
    await derived()
    // Without traces only the balance tells of the rest.
    expect((await movements()).toSorted()).toEqual(['fee -1000', 'opening -1000', `transfer -40 ${payer}`])
    expect(await served()).toMatchObject({ type: 'withdraw', label: 'Sent', fee: 1e-15 })
    const text = JSON.stringify((await pool.query('select fragment from wallet_transactions')).rows)
    expect(text).not.toContain(bundler)
  })

  test('costs nothing where a paymaster pays, and an approval by it is shown', async () => {
    const topics = [toEventSelector('Approval(address,address,uint256)'), topicOf(wallet), topicOf(payer)]
    const approval = { address: token, topics, data: encodeAbiParameters([{ type: 'uint256' }], [70n]) }
    chain.mine(run([approval, operation(sponsor, 1_000n)]))
    await derived()
    expect(await served()).toMatchObject({ type: 'approve', fee: undefined })
    await expectExplained()
    await expectAsPolled()
  })

  test('that another contract claims is none', async () => {
    chain.mine(run([operation(nobody, 5n * ETHER, token)], { to: token }))
    await derived()
    expect(await served()).toMatchObject({ type: 'deposit', label: 'Received' })
    await expectExplained()
  })
})

describe('case 34 logs of native transfers (EIP-7708)', () => {
  const log = (from: string, to: string, raw: bigint): LogSpec => ({
    address: NATIVE_LOGS,
    topics: [TRANSFER_TOPIC, topicOf(from), topicOf(to)],
    data: encodeAbiParameters([{ type: 'uint256' }], [raw]),
  })
  const paid = { from: payer, to: token, input: '0x12345678', value: 5n * ETHER }
  const internals = [{ from: token, to: wallet, value: 3n * ETHER }]

  test('tell what contracts send, and the value of a transaction once', async () => {
    chain.mine({ ...paid, internals, logs: [log(payer, token, 5n * ETHER), log(token, wallet, 3n * ETHER)] })
    await derived()
    expect(await movements()).toEqual([`transfer ${3n * ETHER} ${token}`])
    await expectExplained()
    chain.mine({ from: payer, to: wallet, value: ETHER, logs: [log(payer, wallet, ETHER)] })
    await derived()
    expect(await movements()).toEqual([`transfer ${ETHER} ${payer}`])
    await expectExplained()
    const { rows } = await pool.query('select count(*)::int as count from tokens')
    expect(rows).toEqual([{ count: 0 }])
    await expectAsPolled()
  })

  test('without them the balance tells that something came', async () => {
    chain.mine({
      ...paid,
      internals,
      logs: [{ address: token, topics: [`0x${'5'.repeat(64)}`, topicOf(wallet)], data: '0x' }],
    })
    await derived()
    expect((await movements())[0]).toMatch(/^opening 3000000000000000000/)
  })
})

describe('case 35 native coins without a payment', () => {
  test('withdrawals of validators are transactions of their block, also when nothing else is in it', async () => {
    chain.withdraw({ address: payer, gwei: 5n }, { address: wallet, gwei: 32_000_000_000n })
    const block = chain.mine()
    await derived()
    expect(await movements()).toEqual([`transfer ${32n * ETHER}`])
    expect(await served()).toMatchObject({
      type: 'deposit',
      label: 'Received',
      hash: { id: block.hash, explorerUrl: `https://etherscan.io/block/${block.hash}` },
    })
    await expectExplained()
    await expectAsPolled()
  })

  test('a deposit to a rollup credits its sender, also if the call with it fails', async () => {
    chain.mine({ from: wallet, to: payer, value: 2n * ETHER, mint: 3n * ETHER })
    await derived()
    expect(await movements()).toEqual([expect.stringMatching(/^transfer 1000000000000000000 /)])
    chain.mine({
      from: wallet,
      to: token,
      value: 4n * ETHER,
      mint: 4n * ETHER,
      input: '0x12345678',
      fails: true,
    })
    await derived()
    expect(await movements()).toEqual([expect.stringMatching(/^transfer 4000000000000000000 /)])
    await expectExplained()
    await expectAsPolled()
  })
})

test('case 36 a batch of ERC-1155 tokens is a row for each item', async () => {
  const ids = Array.from({ length: 1_200 }, (_, i) => BigInt(i))
  const topics = [
    toEventSelector('TransferBatch(address,address,address,uint256[],uint256[])'),
    topicOf(payer),
    topicOf(payer),
    topicOf(wallet),
  ]
  const data = encodeAbiParameters(
    [{ type: 'uint256[]' }, { type: 'uint256[]' }],
    [ids, ids.map((id) => id + 1n)],
  )
  chain.mine({ from: payer, to: token, input: '0x2eb2c2d6', logs: [{ address: token, topics, data }] })
  await derived()
  const { rows } = await pool.query(
    `select count(*)::int as items, sum(raw)::int as tokens from transfers where kind = 'erc1155'`,
  )
  expect(rows).toEqual([{ items: 1_200, tokens: 720_600 }])
  const stored = await pool.query(
    `select jsonb_array_length(fragment::jsonb #> '{transactions,0,items}') as lines from wallet_transactions
     order by block_number desc limit 1`,
  )
  expect(stored.rows).toEqual([{ lines: 1_200 }])
  await expectAsPolled()
})
