import { expect, test } from 'vitest'
import { SourceUnavailable } from '../../activities/errors.ts'
import { createSolana } from '../../activities/chain/sources/solana.ts'
import type { WalletAccount } from '../../activities/chain/wallet-source.ts'
import { historyRequest } from './history-request.ts'
import { scriptedHttp } from './scripted-http.ts'

const OWN = 'own'
const HEAD = 1_000
const SECOND = 1_700_000_000

interface Listed {
  signature: string
  slot: number
}
interface Node {
  /** transactions that reference the wallet, newest first; each brought it one lamport */
  listed?: Listed[]
  /** amounts of its token accounts, each of another slot than the balance */
  tokens?: { mint: string; amount: number }[]
  /** slots of the answers about the balance and about the token accounts */
  slots?: [balance: number, tokens: number]
  states?: (size: number, part: number) => { slot: number; value: unknown[] }
}

function reading({ listed = [], tokens = [], slots = [HEAD, HEAD], states }: Node) {
  let parts = 0
  const answers: Record<string, (params: any[]) => unknown> = {
    getSlot: () => HEAD,
    getBlockTime: () => SECOND,
    getBalance: () => ({ context: { slot: slots[0] }, value: 5_000 }),
    getTokenAccountsByOwner: ([, { programId }]) => ({
      context: { slot: slots[1] },
      value: programId.startsWith('Tokenkeg')
        ? tokens.map(({ mint, amount }, i) => ({
            pubkey: `account ${i}`,
            account: { data: { parsed: { info: { mint, tokenAmount: { amount } } } } },
          }))
        : [],
    }),
    getSignaturesForAddress([account, { before, until, limit }]) {
      const all = account === OWN ? listed : []
      const from = all.findIndex(({ signature }) => signature === before) + 1
      const end = all.findIndex(({ signature }) => signature === until)
      return all.slice(from, end < 0 ? undefined : end).slice(0, limit)
    },
    getTransaction: ([signature]) => ({
      slot: listed.find((one) => one.signature === signature)!.slot,
      blockTime: SECOND,
      meta: { err: null, fee: 1, preBalances: [9, 10], postBalances: [7, 11] },
      transaction: {
        signatures: [signature],
        message: { accountKeys: ['payer', OWN].map((pubkey) => ({ pubkey })) },
      },
    }),
    getMultipleAccounts([part]) {
      const { slot, value } = states!(part.length, parts++)
      return { context: { slot }, value }
    },
  }
  const { http, asked } = scriptedHttp(({ body }) => {
    const { method, params } = body as { method: string; params: any[] }
    return { result: answers[method]!(params) }
  })
  const source = createSolana({ http, url: 'http://node' })
  const named = (method: string) =>
    asked.map(({ body }) => body as { method: string; params: any[] }).filter((one) => one.method === method)
  const balances = (headBlock: number, newest: string | null = null) =>
    source.readBalances({ address: OWN, accounts: [known(newest)], tokens: ['gem'], headBlock })
  return { source, named, balances }
}
const known = (newest: string | null): WalletAccount => ({
  account: OWN,
  role: 'wallet',
  readBlock: 1,
  newest,
})

test('amounts of all token accounts of a mint add up', async () => {
  const tokens = [
    { mint: 'gem', amount: 4 },
    { mint: 'coal', amount: 9 },
    { mint: 'gem', amount: 3 },
  ]
  const { source, balances } = reading({ tokens })
  expect(await source.readHoldings!({ address: OWN, contracts: [] })).toMatchObject({
    native: 5_000n,
    tokens: [
      { address: 'gem', raw: 7n },
      { address: 'coal', raw: 9n },
    ],
  })
  const block = { number: HEAD, hash: `${HEAD}`, parentHash: null, atMs: SECOND * 1_000 }
  expect(await balances(HEAD)).toEqual({ block, native: 5_000n, tokens: [7n] })
})

test.each([
  [901, 4_999n],
  [902, 4_999n],
  [903, 'the wallet changed while its balances were read'],
  [904, 'the wallet changed while its balances were read'],
  [905, 5_000n],
])(
  'of answers at the slots 902 and 904, a payment in slot %i leaves %s at the block before it',
  async (slot, native) => {
    for (const slots of [
      [902, 904],
      [904, 902],
    ] as [number, number][]) {
      const found = reading({ listed: [{ signature: 'a', slot }], slots }).balances(900)
      if (typeof native === 'bigint') expect(await found).toMatchObject({ native })
      else {
        await expect(found).rejects.toThrow(native)
        await expect(found).rejects.toBeInstanceOf(SourceUnavailable)
      }
    }
  },
)

const many = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ signature: `s${i}`, slot: HEAD - i }))

test.each([
  [999, 1],
  [1_000, 2],
  [1_001, 2],
])('where all of %i payments are after the block, %i pages are read', async (count, pages) => {
  const { balances, named } = reading({ listed: many(count) })
  expect(await balances(HEAD - 2_000)).toMatchObject({ native: 5_000n - BigInt(count) })
  expect(named('getSignaturesForAddress')).toHaveLength(pages)
})

test('no page after the one that reaches the block is read', async () => {
  const { balances, named } = reading({ listed: many(1_500) })
  expect(await balances(HEAD - 3)).toMatchObject({ native: 4_997n })
  expect(named('getSignaturesForAddress')).toHaveLength(1)
})

test('what is stored is not read again, and the history is complete at its last page', async () => {
  const { source, named } = reading({ listed: many(3) })
  const request = historyRequest({ address: OWN, cursor: 5, headBlock: HEAD })
  const part = await source.readHistory({ ...request, findStored: async () => new Set(['s1']) })
  expect(named('getTransaction').map(({ params }) => params[0])).toEqual(['s0', 's2'])
  expect(part).toMatchObject({ through: HEAD, next: null })
  const long = reading({ listed: many(80) }).source
  const begun = await long.readHistory(request)
  expect(begun.through).toBe(5)
  expect(begun.next).not.toBeNull()
})

test('states of accounts are those of the oldest answer, and one for each account', async () => {
  const account = { lamports: 7, data: ['AQ==', 'base64'] }
  const { source } = reading({
    states: (size, part) => ({
      slot: [12, 10, 11][part]!,
      value: Array.from({ length: size }, (_, i) => (i === 0 ? null : account)),
    }),
  })
  const accounts = Array.from({ length: 201 }, (_, i) => `account ${i}`)
  const { block, states } = await source.readStates!(accounts)
  expect(block).toBe(10)
  expect(states).toHaveLength(201)
  expect(states.slice(0, 2)).toEqual(['none', '7 AQ=='])
  const fewer = reading({ states: () => ({ slot: 1, value: [] }) })
  await expect(fewer.source.readStates!(['account'])).rejects.toBeInstanceOf(SourceUnavailable)
})
