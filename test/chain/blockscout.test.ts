import { expect, test } from 'vitest'
import { createBlockscout } from '../../activities/chain/sources/blockscout.ts'
import { address, hash } from '../setup/wallet-factories.ts'
import { scriptedHttp } from './scripted-http.ts'

const [OWN, OTHER, CREATED] = [address(1), address(2), address(3)]
const RANGE = { chainId: 8453, address: OWN, fromBlock: 100, toBlock: 200, next: null }

interface Page {
  items: unknown[]
  next_page_params: Record<string, string | number> | null
}

/** Answers each list with its pages in order; a list that is not named is empty. */
function reading(pages: Partial<Record<string, Page[]>>, key: string | null = null) {
  const left = new Map(Object.entries(pages).map(([list, all]) => [list, [...all!]]))
  const { http, asked } = scriptedHttp(({ url }) => {
    const list = new URL(url).pathname.split('/').at(-1)!
    return left.get(list)?.shift() ?? { items: [], next_page_params: null }
  })
  return { explorer: createBlockscout({ http, url: 'https://scan.example', key }), asked }
}
const last = (...items: unknown[]): Page => ({ items, next_page_params: null })
const tx = (block_number: number | null | undefined, id: number) => ({ block_number, hash: hash(id) })

test('only transactions in blocks of the range are given, without those that have no block yet', async () => {
  const items = [
    tx(null, 1),
    tx(undefined, 2),
    tx(201, 3),
    tx(200, 4),
    tx(100, 5),
    tx(99, 6),
    { block_number: 150 },
    { block: null, hash: hash(7) },
  ]
  const step = await reading({ transactions: [last(...items)] }).explorer.step(RANGE)
  expect(step).toMatchObject({ hashes: [hash(4), hash(5)], through: 200, next: null })
  const fromZero = { ...RANGE, fromBlock: 0 }
  expect((await reading({ transactions: [last(...items)] }).explorer.step(fromZero)).hashes).toEqual([
    hash(4),
    hash(5),
    hash(6),
  ])
})

test('while a list goes on no block is complete, and a list that passed the start of the range is at its end', async () => {
  const more = { block_number: 150, index: 7 }
  const { explorer, asked } = reading({
    transactions: [{ items: [tx(160, 1)], next_page_params: more }, last(tx(140, 2))],
    'token-transfers': [{ items: [tx(120, 3), tx(99, 4)], next_page_params: more }],
  })
  const first = await explorer.step(RANGE)
  expect(first).toMatchObject({ hashes: [hash(1), hash(3)], through: 99 })
  expect(asked.splice(0)).toHaveLength(3)
  const second = await explorer.step({ ...RANGE, next: first.next })
  expect(second).toMatchObject({ hashes: [hash(2)], through: 200, next: null })
  const [again, ...others] = asked
  expect(others).toEqual([])
  expect(again!.url).toBe(
    `https://scan.example/8453/api/v2/addresses/${OWN}/transactions?block_number=150&index=7`,
  )
})

test('what contracts sent is given if it succeeded, moved something and has both parties', async () => {
  const sent = (id: number, rest: object = {}) => ({
    block_number: 150,
    transaction_hash: hash(id),
    from: { hash: OWN },
    to: { hash: OTHER },
    value: '7',
    success: true,
    ...rest,
  })
  const rows = [
    sent(1),
    sent(2, { success: false }),
    sent(3, { value: '0' }),
    sent(4, { value: null }),
    sent(5, { from: null }),
    sent(6, { to: null }),
    sent(7, { to: null, created_contract: { hash: CREATED } }),
    sent(8, { success: null }),
  ]
  const { explorer, asked } = reading({
    'internal-transactions': [last(...rows)],
    transactions: [last(sent(9))],
  })
  const row = { from: OWN, to: OTHER, value: 7n }
  const internals = [
    { ...row, txHash: hash(1) },
    { ...row, txHash: hash(7), to: CREATED },
    { ...row, txHash: hash(8) },
  ]
  expect((await explorer.step(RANGE)).internals).toEqual(internals)
  asked.length = 0
  const only = await explorer.step({ ...RANGE, onlyInternals: true })
  expect(asked.map(({ url }) => new URL(url).pathname.split('/').at(-1))).toEqual(['internal-transactions'])
  expect(only).toMatchObject({ hashes: [], internals: [] })
})

test('a key is named in the address if there is one', async () => {
  for (const key of ['k', null]) {
    const { explorer, asked } = reading({}, key)
    await explorer.step(RANGE)
    expect(asked.map(({ url }) => new URL(url).searchParams.get('apikey'))).toEqual([key, key, key])
  }
})

test.each([
  ['300', 300],
  ['90000000', 86_400_000],
  ['0', null],
  ['-1', null],
])('with a limit that resets in %s ms it waits %s', async (reset, wait) => {
  const { explorer, asked } = reading({})
  await explorer.step(RANGE)
  expect(asked[0]!.waitMs!({ 'x-ratelimit-reset': reset })).toBe(wait)
  expect(asked[0]!.waitMs!({})).toBeNull()
})
