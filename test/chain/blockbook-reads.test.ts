import { expect, test } from 'vitest'
import { createBlockbookApi } from '../../activities/chain/sources/blockbook.ts'
import { networkWithId } from '../../db/values/networks.ts'
import { scriptedHttp } from './scripted-http.ts'

const hashOf = (number: number) => number.toString(16).padStart(64, '0')

function reading(network: 'litecoin' | 'bitcoin-cash', rows: readonly unknown[] = []) {
  const { http, asked } = scriptedHttp(({ url }) => {
    const [, kind, id] = new URL(url).pathname.split('/').slice(2)
    if (kind === 'block-index') return { blockHash: hashOf(Number(id)) }
    if (kind === 'block') return { hash: id, height: Number(`0x${id}`), time: 1_700_000_000 }
    return { page: 1, transactions: rows }
  })
  const formats = networkWithId(network).utxo!
  const api = createBlockbookApi({ http, name: network, url: 'http://book', formats })
  const blocks = () => asked.filter(({ url }) => url.includes('/block/')).length
  return { api, asked, blocks }
}

test('a block is asked for once while fewer than 100 others were', async () => {
  const { api, blocks } = reading('litecoin')
  for (let number = 1; number <= 100; number++) await api.blockAt(number)
  expect(blocks()).toBe(100)
  expect(await api.blockAt(2)).toMatchObject({ number: 2, atMs: 1_700_000_000_000 })
  expect(blocks()).toBe(100)
  for (let number = 101; number <= 150; number++) await api.blockAt(number)
  await api.blockAt(120)
  expect(blocks()).toBe(150)
  // What is kept has a limit.
  await api.blockAt(3)
  expect(blocks()).toBe(151)
})

test('scripts without an address have none, whatever is told of them', async () => {
  const output = (rest: object) => ({ isAddress: true, addresses: ['one', 'two'], value: '7', ...rest })
  const row = {
    txid: hashOf(9),
    vin: [output({})],
    vout: [
      output({ isAddress: false, addresses: ['OP_RETURN (hi)'] }),
      output({ addresses: null }),
      output({ addresses: [] }),
    ],
    blockHash: hashOf(5),
    blockHeight: 5,
    blockTime: 1_700_000_000,
  }
  const { rows } = await reading('litecoin', [row]).api.page({ address: 'a', after: null, headBlock: 5 })
  expect(rows[0]!.inputs.map((one) => one?.address)).toEqual(['one'])
  expect(rows[0]!.outputs.map(({ address }) => address)).toEqual([null, null, null])
  expect(rows[0]).toMatchObject({ atMs: 1_700_000_000_000, fee: 0n })
})

test('addresses of Bitcoin Cash are asked for with their prefix, and have none here', async () => {
  const one = { isAddress: true, addresses: ['bitcoincash:qone'], value: '7' }
  const place = { blockHash: hashOf(5), blockHeight: 5, blockTime: 1_700_000_000 }
  const { api, asked } = reading('bitcoin-cash', [{ txid: hashOf(9), vin: [one], vout: [one], ...place }])
  const { rows } = await api.page({ address: 'qown', after: null, headBlock: 5 })
  expect(asked[0]!.url).toContain('/address/bitcoincash:qown?')
  expect([...rows[0]!.inputs, ...rows[0]!.outputs].map((of) => of?.address)).toEqual(['qone', 'qone'])
})

test('the head that a read began at stands once among its blocks, with its parent and time', async () => {
  const { api } = reading('litecoin')
  const settle = await api.beginAt(7)
  const found = [6, 7].map((number) => ({ number, hash: hashOf(number), parentHash: null, atMs: 1 }))
  expect(await settle(found)).toEqual([
    found[0],
    { number: 7, hash: hashOf(7), parentHash: null, atMs: 1_700_000_000_000 },
  ])
})
