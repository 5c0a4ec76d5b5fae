import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { SourceUnavailable } from '../../activities/errors.ts'
import { bitcoinAddresses } from '../../activities/chain/sources/bitcoin-addresses.ts'
import { createBlockbookApi } from '../../activities/chain/sources/blockbook.ts'
import { createUtxoSource } from '../../activities/chain/sources/utxo.ts'
import { networkWithId } from '../../db/values/networks.ts'
import { BLOCKBOOK_COINS, hashOf } from '../../sandbox/bitcoin/actors.ts'
import { createBlockbook } from '../../sandbox/bitcoin/blockbook.ts'
import { createBitcoinChain } from '../../sandbox/bitcoin/chain.ts'
import { createFaults } from '../../sandbox/faults.ts'
import { createSandboxServer } from '../../sandbox/server.ts'
import type { Upstream } from '../../sandbox/upstream.ts'
import { freeHttp } from './free-http.ts'
import { fullHistory } from './full-history.ts'
import { historyRequest } from './history-request.ts'
import { ANCHOR, market } from './other-chains.ts'

// Some tests derive hundreds of addresses.
vi.setConfig({ testTimeout: 30_000 })

const [litecoin, dogecoin] = BLOCKBOOK_COINS
const WALLET = litecoin.wallets[1]!.name
const stops: (() => unknown)[] = []
afterAll(async () => {
  for (const stop of stops) await stop()
})

/** Connects the adapter to an upstream and records the requested targets. */
async function against(upstream: Upstream, coin: (typeof BLOCKBOOK_COINS)[number] = litecoin) {
  const asked: string[] = []
  const log: Upstream = (request) => (asked.push(request.target), upstream(request))
  const state = { nowMs: ANCHOR * 1_000 }
  const mounts = [{ base: '/ltc', upstream: log }]
  const server = createSandboxServer({ mounts, faults: createFaults(), nowMs: () => state.nowMs })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ltc`
  const name = 'litecoin-blockbook'
  const http = freeHttp({ [name]: { url } })
  stops.push(
    () => http.close(),
    () => (server.close(), server.closeAllConnections()),
  )
  const formats = networkWithId(coin.id as 'litecoin').utxo!
  const api = createBlockbookApi({ http, name, url, formats })
  return { source: createUtxoSource({ api, formats, reorgDepth: 100 }), asked, state }
}

const tip = { hash: 'a'.repeat(64), height: 900_000, time: 1_790_000_000, previousBlockHash: 'b'.repeat(64) }

const row = (address: string, number: number) => ({
  txid: hashOf(`${address} ${number}`),
  fees: '100',
  vin: [{ n: 0, addresses: ['payer'], isAddress: true, value: '1100' }],
  vout: [{ n: 0, addresses: [address], isAddress: true, value: '1000' }],
  blockHash: hashOf(`block ${number}`),
  blockHeight: 800_000 - number,
  blockTime: 1_700_000_000,
  confirmations: 100_000 + number,
})

/**
 * A Blockbook whose addresses have the given numbers of transactions. It gives at most `most` on a page. Past the end
 * it repeats the last page.
 */
function pages(counts: Record<string, number>, most = 1_000): Upstream {
  return ({ path: [, version, kind, id = ''], query }) => {
    if (version === 'status') return { status: 200, body: { blockbook: { bestHeight: tip.height } } }
    if (kind === 'block-index') return { status: 200, body: { blockHash: tip.hash } }
    if (kind === 'block') return { status: 200, body: tip }
    const count = counts[id] ?? 0
    if (query.get('details') === 'basic')
      return { status: 200, body: { txs: count, totalReceived: String(1_000 * count), totalSent: '0' } }
    const rows = Array.from({ length: count }, (_, i) => row(id, i + 1))
    const size = Math.min(Number(query.get('pageSize')), most)
    const last = Math.max(1, Math.ceil(rows.length / size))
    const page = Math.min(Number(query.get('page')), last)
    const transactions = rows.slice((page - 1) * size, page * size)
    return { status: 200, body: { page, ...(transactions.length > 0 && { transactions }) } }
  }
}

describe.each([
  [50, 1_000],
  [10, 10],
])('pages of %i from a server that gives at most %i', (pageRows, most) => {
  const counts = [0, 1, 9, 10, 11, 49, 50, 51, 100, 101, 260]
  test.each(counts)('reads each of %i transactions once', async (count) => {
    const { source, asked } = await against(pages({ [WALLET]: count }, most))
    const { transactions } = await fullHistory(source, WALLET)
    expect(transactions).toHaveLength(count)
    expect(new Set(transactions.map((one) => one.hash)).size).toBe(count)
    // The counters say when all are read, so no page is asked for to see that it is empty.
    expect(asked.filter((path) => path.includes('/address/'))).toHaveLength(1 + Math.ceil(count / pageRows))
  })
})

describe('an extended key', () => {
  const key = litecoin.wallets[0]!.name
  const { addressAt } = bitcoinAddresses(key, networkWithId('litecoin').utxo!)
  const at = (branch: number, index: number) => addressAt(branch, index)!

  test('is never sent; its addresses are read until 20 in a row are unused, on both branches', async () => {
    const counts = { [at(0, 0)]: 1, [at(0, 20)]: 60, [at(0, 41)]: 5, [at(1, 19)]: 2, [at(1, 40)]: 5 }
    const { source, asked } = await against(pages(counts))
    const { accounts, transactions } = await fullHistory(source, key)
    expect([...accounts.keys()]).toEqual([at(0, 0), at(0, 20), at(1, 19)])
    expect(transactions).toHaveLength(63)
    // Counters of 41 and 40 addresses, and the pages of three, one of which has two.
    expect(asked.filter((path) => path.includes('/address/'))).toHaveLength(81 + 4)
    expect(asked.some((path) => path.includes('pub'))).toBe(false)
  })
})

describe('the chain changes during a read', () => {
  test('returns the balances at the head of the sync despite newer payments', async () => {
    const chain = createBitcoinChain({ market, coin: dogecoin })
    const { source } = await against(
      createBlockbook(dogecoin, () => chain),
      dogecoin,
    )
    for (const days of [0, 40, 400]) {
      const headBlock = chain.tipAt(ANCHOR - days * 86_400)
      const { name: address } = dogecoin.wallets[2]!
      const held = chain
        .of(address, ANCHOR - days * 86_400)
        .flatMap(({ vin, vout }) => [...vout, ...vin.map((one) => ({ ...one, value: -one.value }))])
        .reduce((sum, one) => (one.address === address ? sum + BigInt(one.value) : sum), 0n)
      const { native, block } = await source.readBalances({ address, accounts: [], tokens: [], headBlock })
      expect(native).toBe(held)
      const { id: hash, at, previous: parentHash } = chain.blockAt(headBlock)
      expect(block).toEqual({ number: headBlock, hash, parentHash, atMs: at * 1_000 })
    }
  })

  test('payments in new blocks while balances are read are not counted', async () => {
    const chain = createBitcoinChain({ market, coin: litecoin })
    const { source, state } = await against((request) => {
      // A month of blocks between any two answers.
      if (request.path[2] === 'address' && state.nowMs < (ANCHOR + 90 * 86_400) * 1_000)
        state.nowMs += 30 * 86_400_000
      return createBlockbook(litecoin, () => chain)(request)
    })
    const headBlock = chain.tipAt(ANCHOR)
    const held = chain
      .of(WALLET, ANCHOR)
      .flatMap(({ vin, vout }) => [...vout, ...vin.map((one) => ({ ...one, value: -one.value }))])
      .reduce((sum, one) => (one.address === WALLET ? sum + BigInt(one.value) : sum), 0n)
    const { native } = await source.readBalances({ address: WALLET, accounts: [], tokens: [], headBlock })
    expect(native).toBe(held)
  })

  test('a reorg between the first and the last answer fails as unavailable', async () => {
    const chain = createBitcoinChain({ market, coin: litecoin })
    const fork = createBitcoinChain({
      market,
      coin: litecoin,
      fork: { height: chain.tipAt(ANCHOR), keep: 0 },
    })
    const state = { chain }
    const { source } = await against((request) => {
      const answer = createBlockbook(litecoin, () => state.chain)(request)
      if (request.path[2] === 'address') state.chain = fork
      return answer
    })
    await expect(fullHistory(source, WALLET)).rejects.toThrow('a reorg happened during the read')
  })

  test('a node that lags behind the head fails as unavailable', async () => {
    const chain = createBitcoinChain({ market, coin: litecoin })
    const { source } = await against(createBlockbook(litecoin, () => chain))
    const headBlock = chain.tipAt(ANCHOR) + 2
    const reading = source.readHistory(historyRequest({ address: WALLET, cursor: -1, headBlock, settled: 0 }))
    await expect(reading).rejects.toThrow(SourceUnavailable)
    expect(await source.headers!([headBlock, headBlock - 2])).toEqual([
      null,
      expect.objectContaining({ number: headBlock - 2, hash: chain.blockAt(headBlock - 2).id }),
    ])
  })
})
