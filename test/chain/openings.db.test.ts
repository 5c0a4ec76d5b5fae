import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Explorer } from '../../activities/chain/sources/explorer.ts'
import { createRpcClient } from '../../activities/nodes/rpc-client.ts'
import { createTraceReader } from '../../activities/chain/sources/rpc-traces.ts'
import { openDb } from '../../db/connect.ts'
import { call, codeOf } from '../../sandbox/chain/calls.ts'
import { testDatabase } from '../setup/database.ts'
import type { Anvil } from '../setup/anvil.ts'
import { syncDirectly, testNetwork } from './sync-directly.ts'
import { headOf, mineTransfers, startChain, switchedNode } from './two-branches.ts'

const WETH = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
const ETHER = 10n ** 18n
const database = await testDatabase()
const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
let node: Anvil
let noTraces: Awaited<ReturnType<typeof switchedNode>>

beforeAll(async () => {
  node = await startChain()
  await node.call('anvil_setCode', WETH, codeOf('Weth'))
  noTraces = await switchedNode(node, /^(trace|debug)_/)
})
afterAll(async () => {
  await Promise.all([close(), noTraces.stop()])
  await node.stop()
})

const hex = (value: bigint) => `0x${value.toString(16)}`
const openingsOf = async (walletId: string) =>
  (
    await pool.query(
      `select role, coin_id, raw, at, tx_index from movements where wallet_id = $1 and tx_hash like 'balance:%' order by at`,
      [walletId],
    )
  ).rows
const sumsToBalance = async (walletId: string, address: string) => {
  const { rows } = await pool.query(
    'select sum(raw) as raw from movements where wallet_id = $1 and coin_id = $2',
    [walletId, 'ethereum'],
  )
  const call = { to: WETH, data: `0x70a08231${address.slice(2).padStart(64, '0')}` }
  const wrapped = await node.call('eth_call', call, 'latest')
  const held =
    BigInt(await node.call('eth_getBalance', address, 'latest')) + BigInt(wrapped === '0x' ? 0 : wrapped)
  expect(rows[0].raw).toBe(held.toString())
}

describe('balances that the movements do not explain', () => {
  test('an amount held from the start is an opening before the first movement', async () => {
    const wallet = '0x00000000000000000000000000000000000000d1'
    await node.call('anvil_setBalance', wallet, hex(5n * ETHER))
    await mineTransfers(node, { wallet, blocks: 4, salt: 1 })
    const network = await testNetwork(pool, { networkId: 'ethereum', url: node.url })
    const { walletId } = await syncDirectly({ pool, network, address: wallet })
    const first = await pool.query('select min(at) as at from movements where wallet_id = $1', [walletId])
    expect(await openingsOf(walletId)).toEqual([
      { role: 'opening', coin_id: 'ethereum', raw: String(5n * ETHER), at: first.rows[0].at, tx_index: -1 },
    ])
    await sumsToBalance(walletId, wallet)
    const { rows } = await pool.query(
      `select type, fragment::json ->> 'type' as label, main_count from wallet_transactions
       where wallet_id = $1 and type = 'balance'`,
      [walletId],
    )
    expect(rows).toEqual([{ type: 'balance', label: 'Balance', main_count: '5' }])
    // Another sync, even after more blocks, adds no second opening.
    await mineTransfers(node, { wallet, blocks: 2, salt: 2 })
    await syncDirectly({ pool, network, address: wallet })
    expect(await openingsOf(walletId)).toHaveLength(1)
    await sumsToBalance(walletId, wallet)
  })

  test('an amount that appears later without a transaction is an opening at the block of the balance', async () => {
    const wallet = '0x00000000000000000000000000000000000000d2'
    await mineTransfers(node, { wallet, blocks: 3, salt: 3 })
    const network = await testNetwork(pool, { networkId: 'ethereum', url: node.url })
    const { walletId } = await syncDirectly({ pool, network, address: wallet })
    expect(await openingsOf(walletId)).toEqual([])
    const before = BigInt(await node.call('eth_getBalance', wallet, 'latest'))
    await node.call('anvil_setBalance', wallet, hex(before + 7n))
    await node.call('evm_mine')
    await syncDirectly({ pool, network, address: wallet })
    expect(await openingsOf(walletId)).toMatchObject([{ role: 'opening', raw: '7', tx_index: 2_147_483_647 }])
    await sumsToBalance(walletId, wallet)
  })
})

test('an amount that arrives unseen and is sent on is an opening before it leaves, so that nothing is owed', async () => {
  const wallet = '0x00000000000000000000000000000000000000d4'
  await mineTransfers(node, { wallet, blocks: 2, salt: 5 })
  const network = await testNetwork(pool, { networkId: 'ethereum', url: node.url })
  const { walletId } = await syncDirectly({ pool, network, address: wallet })
  const before = BigInt(await node.call('eth_getBalance', wallet, 'latest'))
  await node.call('anvil_setBalance', wallet, hex(before + 9n * ETHER))
  const value = hex(before + 8n * ETHER)
  await node.call('eth_sendTransaction', { from: wallet, to: WETH.replace('c02a', 'c02b'), value })
  for (let i = 0; i < 3; i++) await node.call('evm_mine')
  await syncDirectly({ pool, network, address: wallet })
  const [sent] = (
    await pool.query(`select at from movements where wallet_id = $1 and raw < -$2::numeric`, [
      walletId,
      String(8n * ETHER),
    ])
  ).rows
  expect(await openingsOf(walletId)).toEqual([
    { role: 'opening', coin_id: 'ethereum', raw: String(9n * ETHER), at: sent.at, tx_index: -1 },
  ])
  await sumsToBalance(walletId, wallet)
  const { rows } = await pool.query(
    `select min(total) as lowest from (
       select sum(raw) over (partition by coin_id order by at, tx_index) as total
       from movements where wallet_id = $1) as walked`,
    [walletId],
  )
  expect(BigInt(rows[0].lowest)).toBeGreaterThanOrEqual(0n)
  // Another sync changes nothing.
  await syncDirectly({ pool, network, address: wallet })
  expect(await openingsOf(walletId)).toHaveLength(1)
})

describe('a node without traces', () => {
  test('Y4 internal transfers come from the explorer, or with the next sync if it lags', async () => {
    const wallet = '0x00000000000000000000000000000000000000d3'
    await mineTransfers(node, { wallet, blocks: 2, salt: 4 })
    const send = (data: string, value: bigint) =>
      node.call('eth_sendTransaction', {
        from: wallet,
        to: WETH,
        data,
        value: hex(value),
        gas: hex(100_000n),
      })
    await send(call('Weth', 'deposit', []), ETHER)
    await node.call('evm_mine')
    await send(call('Weth', 'withdraw', [ETHER / 4n]), 0n)
    await node.call('evm_mine')
    const explorer = laggingExplorer(node, wallet)
    const network = await testNetwork(pool, {
      networkId: 'ethereum',
      url: noTraces.url,
      explorer,
      reorgDepth: 20,
    })
    const internals = async () =>
      (
        await pool.query(
          `select raw from transfers where kind = 'internal' and to_address = $1 and network_id = 'ethereum'`,
          [wallet],
        )
      ).rows
    const { walletId } = await syncDirectly({ pool, network, address: wallet })
    expect(await internals()).toEqual([])
    // Until then the balance exceeds the movements.
    expect(await openingsOf(walletId)).toMatchObject([{ role: 'opening', raw: String(ETHER / 4n) }])
    explorer.lagBlocks = 0
    for (let i = 0; i < 30; i++) await node.call('evm_mine')
    await syncDirectly({ pool, network, address: wallet })
    expect(await internals()).toEqual([{ raw: String(ETHER / 4n) }])
    expect(await openingsOf(walletId)).toEqual([])
    await sumsToBalance(walletId, wallet)
    const { rows } = await pool.query(
      `select array_agg(role || ' ' || coin_id || ' ' || raw order by seq) as movements from movements
       join wallets as wallet on wallet.id = wallet_id
       where address = $1 and role = 'wrap' group by tx_hash order by min(at), min(tx_index)`,
      [wallet],
    )
    expect(rows.map((row) => row.movements)).toEqual([
      [`wrap ethereum ${-ETHER}`, `wrap ethereum ${ETHER}`],
      [`wrap ethereum ${-ETHER / 4n}`, `wrap ethereum ${ETHER / 4n}`],
    ])
  })
})

/** An explorer that returns only internal transfers, and those of the newest blocks late. */
function laggingExplorer(of: Anvil, wallet: string): Explorer & { lagBlocks: number } {
  const readTraces = createTraceReader(createRpcClient({ url: of.url, source: 'test' }))
  const explorer: Explorer & { lagBlocks: number } = {
    source: 'etherscan',
    lagBlocks: 25,
    step: async ({ fromBlock, toBlock }) => {
      const last = Math.min(toBlock, (await headOf(of)) - explorer.lagBlocks)
      const blocks = Array.from({ length: Math.max(0, last - fromBlock + 1) }, (_, i) => fromBlock + i)
      const rows = blocks.length === 0 ? [] : ((await readTraces(blocks)) ?? [])
      const internals = rows.filter(({ from, to }) => from === wallet || to === wallet)
      return {
        hashes: [...new Set(internals.map((one) => one.txHash))],
        internals,
        through: toBlock,
        next: null,
      }
    },
  }
  return explorer
}
