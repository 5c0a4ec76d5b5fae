import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { wallets } from '../../sandbox/chain/actors.ts'
import { codeOf } from '../../sandbox/chain/calls.ts'
import { toHex, type Call, type Rpc } from '../../sandbox/chain/rpc.ts'
import { tokenOf, type NetworkId } from '../../sandbox/chain/tokens.ts'
import { createChainIndex } from '../../sandbox/chain/chain-index.ts'
import { createBlockscout } from '../../sandbox/chain/blockscout.ts'
import { createEtherscan } from '../../sandbox/chain/etherscan.ts'
import { call, type Row } from './call.ts'
import { fillChains, startChains, type Chains } from './chains.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-chains-'))
const env = { SANDBOX_SCALE: '0.09', SANDBOX_SEED: '11' }
let chains: Chains
let summary: any

beforeAll(async () => {
  chains = await startChains(folder)
  summary = (await fillChains(chains, env)).summary
})

afterAll(async () => {
  await chains.stop()
  rmSync(folder, { recursive: true, force: true })
})

type Receipt = {
  status: string
  transactionHash: string
  from: string
  to: string
  gasUsed: string
  effectiveGasPrice: string
  logs: unknown[]
}
type Block = {
  number: string
  hash: string
  timestamp: string
  transactions: { from: string; to: string; value: string }[]
}
type Trace = {
  action: { from: string; to: string; value?: string }
  traceAddress: number[]
  error?: string
  transactionHash: string
}

async function readChain(rpc: Rpc) {
  const head = Number(await rpc.call('eth_blockNumber'))
  const numbers = Array.from({ length: head + 1 }, (_, i) => toHex(i))
  const blocks = (await rpc.batch(numbers.map((n): Call => ['eth_getBlockByNumber', n, true]))) as Block[]
  const receipts = (await rpc.batch(numbers.map((n): Call => ['eth_getBlockReceipts', n]))) as Receipt[][]
  return { head, blocks, receipts }
}

const networks: NetworkId[] = ['ethereum', 'base-wallet']

describe.each(networks)('the filled chain %s', (network) => {
  test('has the transactions of the summary, including the failed ones', async () => {
    const { head, receipts } = await readChain(chains.rpcs[network])
    const { kinds, transactions, head: told } = summary[network]
    expect(head).toBe(told)
    expect(receipts.flat()).toHaveLength(transactions)
    expect(receipts.flat().filter((r) => r.status !== '0x1')).toHaveLength(kinds.failed)
    expect(Object.values<number>(kinds).reduce((a, b) => a + b, 0)).toBe(transactions)
  })

  test('spreads transactions over the last two years, all of them final', async () => {
    const rpc = chains.rpcs[network]
    const { blocks } = await readChain(rpc)
    const times = blocks.map((b) => Number(b.timestamp))
    expect(times).toEqual([...times].sort((a, b) => a - b))
    const used = blocks.filter((b) => b.transactions.length > 0)
    const spanDays = (Number(used.at(-1)!.timestamp) - Number(used[0]!.timestamp)) / 86_400
    expect(spanDays).toBeGreaterThan(690)
    expect(Math.abs(times.at(-1)! - Date.now() / 1000)).toBeLessThan(60)
    const final = (await rpc.call('eth_getBlockByNumber', 'finalized', false)) as Block
    expect(Number(final.number)).toBeGreaterThanOrEqual(Number(used.at(-1)!.number))
  })

  test('the transactions add up to every native balance of the wallets', async () => {
    const rpc = chains.rpcs[network]
    const { blocks, receipts } = await readChain(rpc)
    const sums = new Map<string, bigint>(wallets.map((w) => [w.address, 0n]))
    const add = (owner: string, wei: bigint): void => {
      if (sums.has(owner)) sums.set(owner, sums.get(owner)! + wei)
    }
    for (const [i, block] of blocks.entries()) {
      for (const [k, tx] of block.transactions.entries()) {
        const receipt = receipts[i]![k]!
        add(tx.from, -BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice))
        if (receipt.status !== '0x1') continue
        add(tx.from, -BigInt(tx.value))
        add(tx.to, BigInt(tx.value))
      }
      const failed = new Set(receipts[i]!.filter((r) => r.status !== '0x1').map((r) => r.transactionHash))
      for (const trace of (await rpc.call('trace_block', block.number)) as Trace[]) {
        const { action, traceAddress, error, transactionHash } = trace
        if (traceAddress.length === 0 || error || failed.has(transactionHash)) continue
        add(action.from, -BigInt(action.value ?? 0))
        add(action.to, BigInt(action.value ?? 0))
      }
    }
    for (const [owner, sum] of sums) {
      expect(BigInt((await rpc.call('eth_getBalance', owner, 'latest')) as string)).toBe(sum)
    }
  })
})

test('contains every kind of transaction, and every bridge transfer arrives', () => {
  const kinds = summary.ethereum.kinds
  const expected = [
    'airdrop',
    'approve',
    'bridge-out',
    'deposit',
    'failed',
    'nft',
    'poison',
    'spam',
    'swap',
    'transfer',
  ]
  for (const kind of [...expected, 'arbitrage', 'unwrap', 'withdraw', 'wrap'])
    expect(kinds[kind], kind).toBeGreaterThan(0)
  expect(summary['base-wallet'].kinds['bridge-in']).toBe(kinds['bridge-out'])
  expect(kinds['bridge-in'] ?? 0).toBe(summary['base-wallet'].kinds['bridge-out'] ?? 0)
})

test('the explorers show the data of the chain', async () => {
  const indexes = networks.map((network) => createChainIndex({ network, rpcUrl: chains.rpcs[network].url }))
  const etherscan = createEtherscan(indexes)
  const blockscout = createBlockscout(indexes)
  const { receipts } = await readChain(chains.rpcs.ethereum)
  const count = async (action: string, address: string): Promise<number> => {
    const query = `?chainid=1&module=account&action=${action}&address=${address}&sort=asc`
    const { body } = await call(etherscan, query)
    expect(body.message).toBe(body.result.length > 0 ? 'OK' : 'No transactions found')
    return body.result.length
  }
  for (const { address } of wallets) {
    const mine = receipts.flat().filter((r) => r.from === address || r.to === address)
    expect(await count('txlist', address)).toBe(mine.length)
    const word = `0x${address.slice(2).padStart(64, '0')}`
    const topic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
    const ask = (topics: unknown[]): Call => ['eth_getLogs', { fromBlock: '0x0', toBlock: 'latest', topics }]
    const logs = (await chains.rpcs.ethereum.batch([ask([topic, word]), ask([topic, null, word])])) as Row[][]
    const unique = new Set(logs.flat().map((l) => `${String(l['transactionHash'])} ${String(l['logIndex'])}`))
    expect((await count('tokentx', address)) + (await count('tokennfttx', address))).toBe(unique.size)
    const copies = await count('token1155tx', address)
    let page = await call(blockscout, `/1/api/v2/addresses/${address}/token-transfers`)
    let items = page.body.items.length
    while (page.body.next_page_params) {
      const next = new URLSearchParams(page.body.next_page_params as Record<string, string>)
      page = await call(blockscout, `/1/api/v2/addresses/${address}/token-transfers?${next.toString()}`)
      items += page.body.items.length
    }
    expect(items).toBe(unique.size + copies)
  }
  const limit = await call(
    etherscan,
    `?chainid=1&module=account&action=txlist&address=${wallets[0]!.address}&page=11&offset=1000`,
  )
  expect(limit.body).toMatchObject({ status: '0', result: null })
})

test('the explorers follow a reorg', async () => {
  const index = createChainIndex({ network: 'base-wallet', rpcUrl: chains.rpcs['base-wallet'].url })
  const rpc = chains.rpcs['base-wallet']
  await index.refresh()
  const { address } = wallets[0]!
  const before = index.of(address).length
  const transfer = {
    from: '0x28c6c06298d514db089934071355e5743bf21d60',
    to: address,
    value: '0x1',
    gas: '0x5208',
  }
  const hash = (await rpc.call('eth_sendTransaction', transfer)) as string
  await rpc.call('evm_mine')
  await index.refresh()
  expect(index.of(address).at(-1)!.hash).toBe(hash)
  await rpc.call('anvil_rollback', 1)
  await rpc.call('evm_mine')
  await index.refresh()
  expect(index.of(address)).toHaveLength(before)
})

test('unusual tokens have the same unusual metadata as on mainnet', async () => {
  const ask = (key: string, data: string): Promise<unknown> =>
    chains.rpcs.ethereum.call('eth_call', { to: tokenOf('ethereum', key).address, data }, 'latest')
  expect(await ask('MKR', '0x95d89b41')).toBe(`0x${Buffer.from('MKR').toString('hex').padEnd(64, '0')}`)
  await expect(ask('NODEC', '0x313ce567')).rejects.toThrow(/revert/)
  expect(Number(await ask('USDC', '0x313ce567'))).toBe(6)
  expect(Number(await ask('WBTC', '0x313ce567'))).toBe(8)
})

test('a chain filled by another version gets the current contracts, which keep their storage', async () => {
  const rpc = chains.rpcs['base-wallet']
  const { address } = tokenOf('base-wallet', 'USDC')
  const [domainSeparator, totalSupply] = ['0x3644e515', '0x18160ddd']
  const ask = (data: string) => rpc.call('eth_call', { to: address, data }, 'latest')
  const supply = await ask(totalSupply)
  await rpc.call('anvil_setCode', address, codeOf('Token'))
  await expect(ask(domainSeparator)).rejects.toThrow(/revert/)
  await fillChains(chains, env)
  expect(await ask(domainSeparator)).toBe(
    '0x02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f',
  )
  expect(await ask(totalSupply)).toBe(supply)
})

test('a second fill changes nothing, and a restart keeps logs, receipts and traces', async () => {
  const everything = async () => {
    const { head, blocks, receipts } = await readChain(chains.rpcs.ethereum)
    const logs = await chains.rpcs.ethereum.call('eth_getLogs', { fromBlock: '0x0', toBlock: toHex(head) })
    return { blocks: blocks.map((b) => b.hash), receipts, logs }
  }
  const before = await everything()
  const again = await fillChains(chains, env)
  expect(again.output).toContain('already filled')
  expect(again.summary).toEqual(summary)
  await chains.stop()
  chains = await startChains(folder)
  expect(await everything()).toEqual(before)
  expect((await fillChains(chains, env)).summary).toEqual(summary)
  await chains.rpcs.ethereum.call('evm_mine')
  const latest = (await chains.rpcs.ethereum.call('eth_getBlockByNumber', 'latest', false)) as Block
  expect(Math.abs(Number(latest.timestamp) - Date.now() / 1000)).toBeLessThan(60)
})
