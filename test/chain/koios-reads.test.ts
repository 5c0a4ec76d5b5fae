import { expect, test } from 'vitest'
import { createKoios } from '../../activities/chain/sources/koios.ts'
import { cardanoWallets } from '../../sandbox/cardano/actors.ts'
import { historyRequest } from './history-request.ts'
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
    source.readHistory(historyRequest({ address, cursor, headBlock: HEAD, lookBack: false }))
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

const [POLICY, OTHER] = ['a'.repeat(56), 'b'.repeat(56)] as const

/** Reads balances at a block while the wallet pays a lovelace in the next one. `held`: what it holds at each question. */
function balancesWhile(held: readonly { lovelace: string; units: Record<string, string> }[]) {
  const utxo = (address: string, value: string) => ({
    payment_addr: { bech32: address },
    tx_hash: hashOf(1),
    tx_index: 0,
    value,
  })
  let questions = 0
  const { http } = scriptedHttp(({ url }) => {
    const { pathname, searchParams } = new URL(url)
    const path = pathname.slice(1)
    const now = held[Math.min(questions, held.length - 1)]!
    if (path === 'blocks') return searchParams.get('block_height')!.match(/\d+/g)!.map(Number).map(blockOf)
    if (path === 'tip') return [blockOf(HEAD + 1)]
    if (path === 'address_info') return [{ balance: now.lovelace }]
    if (path === 'address_assets') {
      questions++
      return Object.entries(now.units).map(([policy_id, quantity]) => ({
        policy_id,
        asset_name: '',
        quantity,
      }))
    }
    if (path.endsWith('_txs')) return [{ ...blockOf(HEAD + 1), tx_hash: hashOf(HEAD + 1) }]
    if (path !== 'tx_info') return []
    return [
      {
        tx_hash: hashOf(HEAD + 1),
        block_hash: hashOf(HEAD + 1),
        block_height: HEAD + 1,
        tx_timestamp: 0,
        tx_block_index: 0,
        fee: '0',
        inputs: [utxo(PAYMENT, '1')],
        outputs: [utxo('elsewhere', '1')],
      },
    ]
  })
  return createKoios({ http, url: 'http://koios', key: null }).readBalances({
    address: PAYMENT,
    accounts: [],
    tokens: [POLICY, OTHER],
    headBlock: HEAD,
  })
}

test('what a wallet holds now, less what happened after a block, is what it held at the block', async () => {
  const found = await balancesWhile([{ lovelace: '9', units: { [POLICY]: '5' } }])
  expect([found.native, found.tokens]).toEqual([10n, [5n, 0n]])
})

test.each([
  ['its coin', { lovelace: '8', units: { [POLICY]: '5', [OTHER]: '7' } }],
  ['one of its tokens', { lovelace: '9', units: { [POLICY]: '5', [OTHER]: '6' } }],
  ['a token that it had', { lovelace: '9', units: { [POLICY]: '5' } }],
])('balances are read again later when a wallet changes meanwhile: %s', async (_, changed) => {
  const first = { lovelace: '9', units: { [POLICY]: '5', [OTHER]: '7' } }
  await expect(balancesWhile([first, changed])).rejects.toThrow(
    'the wallet changed while its balances were read',
  )
})
