import { expect, test } from 'vitest'
import { createAlchemyTransfers } from '../../activities/chain/sources/alchemy-transfers.ts'
import { BlockTooFull } from '../../activities/chain/sources/explorer.ts'
import { NotInPlan, SourceRejected, SourceUnavailable } from '../../activities/errors.ts'
import { address, hash } from '../setup/wallet-factories.ts'
import { scriptedHttp } from './scripted-http.ts'

const [OWN, OTHER] = [address(1), address(2)]
const RANGE = { chainId: 1, address: OWN, fromBlock: 100, toBlock: 200, next: null }
const PLAIN = 'https://alchemy.example/v2'
const OF_NETWORK = 'https://{network}.alchemy.example/v2'

interface Query {
  fromBlock: string
  toBlock: string
  fromAddress?: string
  category: string[]
  pageKey?: string
}
const transfer = (block: number, id: number, rest: object = {}) => ({
  category: 'external',
  blockNum: `0x${block.toString(16)}`,
  hash: hash(id),
  from: OWN,
  to: OTHER,
  rawContract: { value: '0x7' },
  ...rest,
})
const resultOf = (transfers: unknown[], pageKey?: string) => ({ result: { transfers, pageKey } })

/** Answers what an account sent and what it received. */
function reading(
  answerTo: (query: Query) => unknown,
  { url = PLAIN, key = 'k' }: { url?: string; key?: string | null } = {},
) {
  const queries: Query[] = []
  const { http, asked } = scriptedHttp(({ body }) => {
    const [query] = (body as { params: [Query] }).params
    queries.push(query)
    return answerTo(query)
  })
  return { explorer: createAlchemyTransfers({ http, url, key }), asked, queries }
}
const nothing = () => resultOf([])

test('what an account received is read only as far as what it sent is complete', async () => {
  const { explorer, queries } = reading(({ fromAddress }) =>
    fromAddress
      ? resultOf([transfer(110, 1), transfer(150, 2)], 'more')
      : resultOf([transfer(120, 3, { from: OTHER, to: OWN })]),
  )
  expect(await explorer.step(RANGE)).toMatchObject({ hashes: [hash(1), hash(3)], through: 149, next: null })
  expect(queries.map(({ fromBlock, toBlock }) => [fromBlock, toBlock].map(Number))).toEqual([
    [100, 200],
    [100, 149],
  ])
})

test('a block with more rows than ten pages is refused with their number', async () => {
  const { explorer, queries } = reading(() => resultOf([transfer(100, 1)], 'more'))
  const step = explorer.step(RANGE)
  await expect(step).rejects.toThrow(BlockTooFull)
  await expect(step).rejects.toThrow('more than the 10000 rows')
  expect(queries.map(({ pageKey }) => pageKey)).toEqual([
    undefined,
    ...Array.from({ length: 9 }, () => 'more'),
  ])
})

test('what contracts sent is asked for alone, and is given where it moved something', async () => {
  const rows = [
    transfer(110, 1),
    transfer(110, 2, { category: 'internal' }),
    transfer(111, 3, { category: 'internal', rawContract: { value: '0x0' } }),
    transfer(112, 4, { category: 'internal', to: null }),
  ]
  const { explorer, queries } = reading(({ fromAddress }) => resultOf(fromAddress ? rows : []))
  const { internals } = await explorer.step({ ...RANGE, onlyInternals: true })
  expect(internals).toEqual([
    { txHash: hash(2), from: OWN, to: OTHER, value: 7n },
    { txHash: hash(4), from: OWN, to: OWN, value: 7n },
  ])
  expect(queries.map(({ category }) => category)).toEqual([['internal'], ['internal']])
})

test('an address without the name of a network serves Ethereum alone', async () => {
  const plain = reading(nothing)
  await plain.explorer.step(RANGE)
  await expect(plain.explorer.step({ ...RANGE, chainId: 56 })).rejects.toThrow(NotInPlan)
  expect(new Set(plain.asked.map(({ url }) => url))).toEqual(new Set([`${PLAIN}/k`]))
  const named = reading(nothing, { url: OF_NETWORK })
  for (const chainId of [1, 56]) await named.explorer.step({ ...RANGE, chainId })
  expect(new Set(named.asked.map(({ url }) => url))).toEqual(
    new Set(['https://eth-mainnet.alchemy.example/v2/k', 'https://bnb-mainnet.alchemy.example/v2/k']),
  )
})

test('a key is part of the address, and is told to be a secret', async () => {
  for (const [key, url, secret] of [
    ['a/b', `${PLAIN}/a%2Fb`, 'a%2Fb'],
    [null, PLAIN, undefined],
  ] as const) {
    const { explorer, asked } = reading(nothing, { key })
    await explorer.step(RANGE)
    expect(asked.map((one) => [one.url, one.secret])).toEqual([
      [url, secret],
      [url, secret],
    ])
  }
})

test.each([
  [429, SourceUnavailable],
  [-32_602, SourceRejected],
])('an error %i in an answer is a %o', async (code, kind) => {
  const { explorer } = reading(() => ({ error: { code, message: 'no' } }))
  await expect(explorer.step(RANGE)).rejects.toThrow(kind)
})
