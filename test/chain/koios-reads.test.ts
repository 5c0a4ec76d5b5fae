import { expect, test } from 'vitest'
import { createKoios } from '../../activities/chain/sources/koios.ts'
import { cardanoWallets } from '../../sandbox/cardano/actors.ts'
import { scriptedHttp } from './scripted-http.ts'

const STAKE = cardanoWallets[0]!.name
const PAYMENT = cardanoWallets[2]!.name
const HEAD = 10_000
const hashOf = (number: number) => number.toString(16).padStart(64, '0')
const blockOf = (number: number) => ({
  hash: hashOf(number),
  block_height: number,
  block_time: number * 20,
  epoch_no: 400,
})

/** A service that lists a transaction in each of these blocks, and what it was asked. */
function reading(listed: readonly number[]) {
  const { http, asked } = scriptedHttp(({ url, body }) => {
    const { pathname, searchParams } = new URL(url)
    const path = pathname.slice(1)
    if (path === 'blocks') return searchParams.get('block_height')!.match(/\d+/g)!.map(Number).map(blockOf)
    if (path.endsWith('_txs'))
      return listed.map((number) => ({ ...blockOf(number), tx_hash: hashOf(number) }))
    if (path !== 'tx_info') return []
    return (body as { _tx_hashes: string[] })._tx_hashes.map((tx_hash) => ({
      tx_hash,
      block_hash: tx_hash,
      block_height: Number(`0x${tx_hash}`),
      tx_timestamp: 0,
      tx_block_index: 0,
      fee: '0',
      inputs: [],
      outputs: [],
    }))
  })
  const source = createKoios({ http, url: 'http://koios', key: null })
  const read = (address: string, cursor: number) =>
    source.readHistory({
      address,
      accounts: [],
      cursor,
      headBlock: HEAD,
      settled: HEAD,
      lookBack: false,
      next: null,
      findStored: async () => new Set(),
      onProgress: () => {},
    })
  const of = (path: string) =>
    asked
      .filter((one) => one.operation === `/${path}`)
      .map(({ url, body }) => ({ query: new URL(url).searchParams, body }))
  return { read, of }
}

test.each([
  [499, '(block_time.gt.9980,block_time.lte.200000)'],
  [0, '(block_time.gt.0,block_time.lte.200000)'],
  [-1, '(block_time.gt.0,block_time.lte.200000)'],
])('after block %i, certificates are read from the next block on', async (cursor, filter) => {
  const { read, of } = reading([])
  await read(STAKE, cursor)
  expect(of('account_update_history').map(({ query }) => query.get('and'))).toEqual([filter])
})

test('all parts of a transaction that count are asked for', async () => {
  const { read, of } = reading([600])
  await read(PAYMENT, 499)
  const parts = { _inputs: true, _assets: true, _withdrawals: true, _certs: true }
  expect(of('tx_info').map(({ body }) => body)).toEqual([{ _tx_hashes: [hashOf(600)], ...parts }])
})

test.each([
  [129, HEAD],
  [130, HEAD],
  [131, 729],
])('of %i transactions in as many blocks, a part reaches to block %i', async (count, through) => {
  const { read } = reading(Array.from({ length: count }, (_, i) => 600 + i))
  const part = await read(PAYMENT, 499)
  expect(part.through).toBe(through)
  expect(part.range.transactions).toHaveLength(Math.min(count, 130))
})
