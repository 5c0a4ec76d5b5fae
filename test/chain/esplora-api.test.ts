import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { SourceRejected, SourceUnavailable } from '../../activities/errors.ts'
import { createEsploraApi } from '../../activities/chain/sources/esplora-api.ts'
import { freeHttp } from './free-http.ts'

// What each call makes of the answers of a server, of those in between blocks too.

const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

type Answer = [status: number, body: unknown]

/** The calls at a server with these answers by path, and what it was asked. Other paths are not found. */
async function apiOf(answers: Record<string, Answer>) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url!)
    const [status, body] = answers[request.url!] ?? [404, 'Block not found']
    response.statusCode = status
    response.end(typeof body === 'object' && !Buffer.isBuffer(body) ? JSON.stringify(body) : body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const http = freeHttp({ esplora: { url } })
  stops.push(
    () => http.close(),
    () => (server.close(), server.closeAllConnections()),
  )
  return { ...createEsploraApi({ http, url }), asked }
}

const hash = (text: string | number) => String(text).padStart(64, '0')
const block = (height: number) => ({
  id: hash(height),
  height,
  timestamp: 1_700_000_000 + height,
  previousblockhash: height === 0 ? null : hash(height - 1),
})
const down = (from: number, count = 3) => Array.from({ length: count }, (_, k) => block(from - k))
const row = (id: string, height: number | null) => ({
  txid: hash(id),
  fee: 100,
  vin: [{ prevout: null }],
  vout: [{ value: 1_000 }],
  status:
    height === null
      ? { confirmed: false }
      : { confirmed: true, block_height: height, block_hash: hash(height), block_time: 1_700_000_000 },
})

/** Fails as unavailable, so that it is tried again, for this reason. */
async function lags(reading: Promise<unknown>, reason: string): Promise<void> {
  await expect(reading).rejects.toThrow(SourceUnavailable)
  await expect(reading).rejects.toThrow(reason)
}

describe('blocks', () => {
  test('the tip is the first of the newest', async () => {
    const { tip } = await apiOf({ '/blocks': [200, down(90)] })
    expect(await tip()).toEqual({ number: 90, hash: hash(90), parentHash: hash(89), atMs: 1_700_000_090_000 })
  })

  test('the first block has no parent', async () => {
    const { blocksFrom } = await apiOf({ '/blocks/0': [200, [block(0)]] })
    expect(await blocksFrom(0)).toEqual([
      { number: 0, hash: hash(0), parentHash: null, atMs: 1_700_000_000_000 },
    ])
  })

  test('a list of none is no answer', async () => {
    const { tip } = await apiOf({ '/blocks': [200, []] })
    await expect(tip()).rejects.toThrow()
  })

  test('headers are asked for once for all that one answer has, none above the tip', async () => {
    const { headers, asked } = await apiOf({ '/blocks': [200, down(90)], '/blocks/70': [200, down(70)] })
    const found = await headers([69, 91, 70, 90, 89, 68])
    expect(found.map((one) => one?.number ?? null)).toEqual([69, null, 70, 90, 89, 68])
    expect(asked).toEqual(['/blocks', '/blocks/70'])
  })

  test('no headers take no request', async () => {
    const { headers, asked } = await apiOf({})
    expect([await headers([]), asked]).toEqual([[], []])
  })
})

describe('a node that lags', () => {
  test.each<
    [what: string, call: (api: Awaited<ReturnType<typeof apiOf>>) => Promise<unknown>, reason: string]
  >([
    ['the blocks from a height', (api) => api.blocksFrom(7), 'no block 7: the node lags'],
    ['a block', (api) => api.blockOf(hash(7)), `block ${hash(7)} is missing: the node lags`],
    ['the bytes of a block', (api) => api.rawBlock(hash(7)), `block ${hash(7)} is missing: the node lags`],
    ['a transaction', (api) => api.transaction(hash(7)), `${hash(7)} left the chain while it was read`],
  ])('does not find %s', async (_what, call, reason) => {
    await lags(call(await apiOf({})), reason)
  })

  test('has a transaction that is not confirmed any more', async () => {
    const { transaction } = await apiOf({ [`/tx/${hash('a')}`]: [200, row('a', null)] })
    await lags(transaction(hash('a')), `${hash('a')} left the chain while it was read`)
  })
})

describe('what is refused', () => {
  test.each<[what: string, path: string, call: (api: Awaited<ReturnType<typeof apiOf>>) => Promise<unknown>]>(
    [
      ['the blocks from a height', '/blocks/7', (api) => api.blocksFrom(7)],
      ['a block', `/block/${hash(7)}`, (api) => api.blockOf(hash(7))],
      ['the bytes of a block', `/block/${hash(7)}/raw`, (api) => api.rawBlock(hash(7))],
      ['a transaction', `/tx/${hash(7)}`, (api) => api.transaction(hash(7))],
      ['the hash of the tip', '/blocks/tip/hash', (api) => api.tipHash()],
      ['the counters of an address', '/address/me', (api) => api.counters('me')],
    ],
  )('is not asked for again: %s', async (_what, path, call) => {
    const reading = call(await apiOf({ [path]: [400, 'Invalid hex string'] }))
    await expect(reading).rejects.toThrow(SourceRejected)
    await expect(reading).rejects.toThrow('400')
  })
})

test('the hash of the tip is one, or it is asked for again', async () => {
  expect(await (await apiOf({ '/blocks/tip/hash': [200, hash(90)] })).tipHash()).toBe(hash(90))
  for (const text of ['', hash(90).slice(1), `${hash(90)}0`, '<html>'])
    await lags((await apiOf({ '/blocks/tip/hash': [200, text] })).tipHash(), 'no hash of the tip')
})

test('a block comes as it is sent, in hexadecimal digits', async () => {
  const { rawBlock } = await apiOf({ [`/block/${hash(7)}/raw`]: [200, Buffer.from([0, 255, 16])] })
  expect(await rawBlock(hash(7))).toBe('00ff10')
})

describe('an address', () => {
  test('has its confirmed transactions, from the newest or after one', async () => {
    const { confirmed, asked } = await apiOf({
      '/address/me/txs/chain': [200, [row('c', 9), row('b', null), row('a', 8)]],
      [`/address/me/txs/chain/${hash('a')}`]: [200, []],
    })
    expect((await confirmed('me', null)).map(({ txid, blockNumber }) => [txid, blockNumber])).toEqual([
      [hash('c'), 9],
      [hash('a'), 8],
    ])
    expect(await confirmed('me', hash('a'))).toEqual([])
    expect(asked).toHaveLength(2)
  })

  test('has the counters of what is confirmed', async () => {
    const of = (n: number) => ({ tx_count: n, funded_txo_sum: 10 * n, spent_txo_sum: 4 * n })
    const { counters } = await apiOf({ '/address/me': [200, { chain_stats: of(3), mempool_stats: of(9) }] })
    expect(await counters('me')).toEqual({ transactions: 3, received: 30n, sent: 12n })
  })
})
