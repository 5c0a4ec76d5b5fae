import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { SourceUnavailable } from '../../activities/errors.ts'
import { bitcoinAddresses } from '../../activities/chain/sources/bitcoin-addresses.ts'
import { createEsplora } from '../../activities/chain/sources/esplora.ts'
import { bitcoinWallets, hashOf } from '../../sandbox/bitcoin/actors.ts'
import { addressesOf, createBitcoinChain } from '../../sandbox/bitcoin/chain.ts'
import { createFaults } from '../../sandbox/faults.ts'
import { createSandboxServer } from '../../sandbox/server.ts'
import { createEsplora as createUpstream } from '../../sandbox/bitcoin/esplora.ts'
import type { Upstream } from '../../sandbox/upstream.ts'
import { freeHttp } from './free-http.ts'
import { fullHistory } from './full-history.ts'
import { historyRequest } from './history-request.ts'
import { ANCHOR, market } from './other-chains.ts'

const WALLET = bitcoinWallets[1]!.name
const ZPUB = bitcoinWallets[0]!.name
// Some tests derive hundreds of addresses.
vi.setConfig({ testTimeout: 30_000 })
const stops: (() => unknown)[] = []
afterAll(async () => {
  for (const stop of stops) await stop()
})

/** Connects the adapter to an upstream and records the requested paths. */
async function against(upstream: Upstream) {
  const asked: string[] = []
  const log: Upstream = (request) => (asked.push(request.path.join('/')), upstream(request))
  const state = { nowMs: ANCHOR * 1_000 }
  const mounts = [{ base: '/api', upstream: log }]
  const server = createSandboxServer({ mounts, faults: createFaults(), nowMs: () => state.nowMs })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`
  const http = freeHttp({ esplora: { url } })
  stops.push(
    () => http.close(),
    () => (server.close(), server.closeAllConnections()),
  )
  return { source: createEsplora({ http, url, reorgDepth: 100 }), asked, state }
}

const hash = (text: string | number) => String(text).padStart(64, '0')
const tip = { id: hash('aa'), height: 900_000, timestamp: 1_790_000_000, previousblockhash: hash('ab') }
const row = (address: string, number: number) => ({
  txid: hashOf(`${address} ${number}`),
  fee: 100,
  vin: [{ prevout: { scriptpubkey_address: 'payer', value: 1_100 } }],
  vout: [{ scriptpubkey_address: address, value: 1_000 }],
  status: {
    confirmed: true,
    block_height: 800_000 - number,
    block_hash: hash(`b${number}`),
    block_time: 1_700_000_000,
  },
})

/** An upstream whose addresses have the given numbers of transactions, with 25 of them on a page. */
function pages(counts: Record<string, number>, pageRows = 25): Upstream {
  return ({ path: [kind, address = '', part, , last] }) => {
    if (kind === 'blocks') return { status: 200, body: [tip] }
    if (kind === 'tx') return { status: 200, body: { ...row(WALLET, 1), txid: address } }
    const count = counts[address] ?? 0
    if (part === undefined)
      return {
        status: 200,
        body: { chain_stats: { tx_count: count, funded_txo_sum: 1_000 * count, spent_txo_sum: 0 } },
      }
    const rows = Array.from({ length: count }, (_, i) => row(address, i + 1))
    const from = rows.findIndex(({ txid }) => txid === last) + 1
    return { status: 200, body: rows.slice(from, from + pageRows) }
  }
}

describe('pages of 25', () => {
  test.each([0, 1, 24, 25, 26, 50, 51, 130])('reads each of %i transactions once', async (count) => {
    const { source } = await against(pages({ [WALLET]: count }))
    const { transactions } = await fullHistory(source, WALLET)
    expect(transactions).toHaveLength(count)
    expect(new Set(transactions.map((one) => one.hash)).size).toBe(count)
  })
})

// electrs takes the number as --rest-default-chain-txs-per-page.
describe.each([1, 10, 24, 50])('pages of %i, as the operator of a server chose', (pageRows) => {
  test.each([0, 1, 9, 10, 11, 26, 51])('reads each of %i transactions once', async (count) => {
    const { source, asked } = await against(pages({ [WALLET]: count }, pageRows))
    const { transactions } = await fullHistory(source, WALLET)
    expect(transactions).toHaveLength(count)
    expect(new Set(transactions.map((one) => one.hash)).size).toBe(count)
    // The counters say when all are read, so no page is asked for to see that it is empty.
    const read = asked.filter((path) => path.includes('/txs/chain'))
    expect(read).toHaveLength(Math.ceil(count / pageRows))
  })
})

describe('an extended key', () => {
  const { addressAt } = bitcoinAddresses(ZPUB)
  const at = (branch: number, index: number) => addressAt(branch, index)!

  test('its addresses are read until 20 in a row are unused, on both branches', async () => {
    const counts = { [at(0, 0)]: 1, [at(0, 20)]: 30, [at(0, 41)]: 5, [at(1, 19)]: 2, [at(1, 40)]: 5 }
    const { source, asked } = await against(pages(counts))
    const { accounts } = await fullHistory(source, ZPUB)
    expect([...accounts.keys()]).toEqual([at(0, 0), at(0, 20), at(1, 19)])
    // Counters of 21 + 20 and 20 + 20 addresses, and the pages of three, one of which has two.
    expect(asked.filter((path) => path.startsWith('address/'))).toHaveLength(81 + 4)
  })

  test('is never sent', async () => {
    const { source, asked } = await against(pages({}))
    await fullHistory(source, ZPUB)
    expect(asked.some((path) => path.includes('pub'))).toBe(false)
  })

  test('a long history is read in several parts', async () => {
    const counts = Object.fromEntries(Array.from({ length: 90 }, (_, i) => [at(0, i), i === 40 ? 60 : 1]))
    const { source } = await against(pages(counts))
    const { accounts, parts, transfers } = await fullHistory(source, ZPUB)
    expect(accounts.size).toBe(90)
    expect(parts).toBeGreaterThan(1)
    const received = new Set(
      transfers.filter(({ kind }) => kind === 'output').map(({ to, txHash }) => `${to} ${txHash}`),
    )
    expect(received.size).toBe(89 + 60)
  })
})

describe('the chain changes during a read', () => {
  test('returns the balances at the head of the sync despite newer payments', async () => {
    const chain = createBitcoinChain({ market })
    const { source } = await against(createUpstream(() => chain))
    // Up to 38 payments of a wallet are newer, which are two pages.
    for (const days of [0, 40, 200, 400]) {
      const headBlock = chain.tipAt(ANCHOR - days * 86_400)
      for (const address of [WALLET, bitcoinWallets[2]!.name]) {
        const held = chain
          .of(address, ANCHOR - days * 86_400)
          .flatMap(({ vin, vout }) => [...vout, ...vin.map((one) => ({ ...one, value: -one.value }))])
          .reduce((sum, one) => (one.address === address ? sum + one.value : sum), 0)
        const { native, block } = await source.readBalances({ address, accounts: [], tokens: [], headBlock })
        expect(native).toBe(BigInt(held))
        expect(block).toMatchObject({ number: headBlock, hash: chain.blockAt(headBlock).id })
      }
    }
  })

  test('payments in new blocks while balances are read are not counted', async () => {
    const chain = createBitcoinChain({ market })
    const { source, state } = await against((request) => {
      // A month of blocks between any two answers.
      if (request.path[0] === 'address' && state.nowMs < (ANCHOR + 90 * 86_400) * 1_000)
        state.nowMs += 30 * 86_400_000
      return createUpstream(() => chain)(request)
    })
    const headBlock = chain.tipAt(ANCHOR)
    const held = chain
      .of(WALLET, ANCHOR)
      .flatMap(({ vin, vout }) => [...vout, ...vin.map((one) => ({ ...one, value: -one.value }))])
      .reduce((sum, one) => (one.address === WALLET ? sum + one.value : sum), 0)
    const { native } = await source.readBalances({ address: WALLET, accounts: [], tokens: [], headBlock })
    expect(native).toBe(BigInt(held))
  })

  test('an address that is paid each time its balance is read fails as unavailable, so it is retried', async () => {
    const chain = createBitcoinChain({ market })
    const { source, state } = await against((request) => {
      if (request.path[0] === 'address') state.nowMs += 30 * 86_400_000
      return createUpstream(() => chain)(request)
    })
    const headBlock = chain.tipAt(ANCHOR)
    const reading = source.readBalances({ address: WALLET, accounts: [], tokens: [], headBlock })
    await expect(reading).rejects.toThrow('an address was paid each time')
  })

  test('a reorg while balances are read fails as unavailable', async () => {
    const chain = createBitcoinChain({ market })
    const headBlock = chain.tipAt(ANCHOR)
    const fork = createBitcoinChain({ market, fork: { height: headBlock, keep: 0 } })
    let current = chain
    const { source } = await against((request) => {
      if (request.path[0] === 'address') current = fork
      return createUpstream(() => current)(request)
    })
    const reading = source.readBalances({ address: WALLET, accounts: [], tokens: [], headBlock })
    await expect(reading).rejects.toThrow('a reorg happened')
  })

  test('fails on a transaction in a block that is not on the best chain', async () => {
    const chain = createBitcoinChain({ market })
    const last = chain.of(WALLET, ANCHOR + 200 * 86_400)[0]!
    expect(addressesOf(last)).toContain(WALLET)
    const fork = createBitcoinChain({ market, fork: { height: last.block.height, keep: 1 } })
    // The transactions still come from the old branch, the blocks from the new one.
    const { source, state } = await against((request) =>
      createUpstream(() => (request.path[0] === 'blocks' ? fork : chain))(request),
    )
    state.nowMs = (chain.foundAt(last.block.height + 3) + 1) * 1_000
    await expect(fullHistory(source, WALLET)).rejects.toThrow('not on the best chain')
  })

  test.each([
    ['returned to the mempool', { status: 200, body: { ...row(WALLET, 1), status: { confirmed: false } } }],
    ['disappeared', { status: 404, body: 'Transaction not found' }],
  ])('when the last transaction of a page %s, the empty next page is not the end', async (_what, answer) => {
    const told = { tx_count: 26, funded_txo_sum: 26_000, spent_txo_sum: 0 }
    const { source } = await against((request) => {
      if (request.path[0] === 'tx') return answer
      if (request.path.length === 2) return { status: 200, body: { chain_stats: told } }
      return pages({ [WALLET]: 25 })(request)
    })
    await expect(fullHistory(source, WALLET)).rejects.toThrow('left the chain')
  })

  test('a node that lags behind the head fails as unavailable', async () => {
    const chain = createBitcoinChain({ market })
    const { source } = await against(createUpstream(() => chain))
    const headBlock = chain.tipAt(ANCHOR) + 2
    const reading = source.readHistory(historyRequest({ address: WALLET, cursor: -1, headBlock, settled: 0 }))
    await expect(reading).rejects.toThrow(SourceUnavailable)
  })
})
