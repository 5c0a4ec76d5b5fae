import { expect, test } from 'vitest'
import { createCosmos } from '../../activities/chain/sources/cosmos.ts'
import { historyRequest } from './history-request.ts'
import { scriptedHttp } from './scripted-http.ts'

const [OWN, OTHER, HEAD] = ['cosmos1own', 'cosmos1other', 900] as const

const event = (type: string, facts: Record<string, string>) => ({
  type,
  attributes: Object.entries({ ...facts, msg_index: '0' }).map(([key, value]) => ({ key, value })),
})
const sent = (from: string, to: string) => [
  event('coin_spent', { spender: from, amount: '5uatom' }),
  event('coin_received', { receiver: to, amount: '5uatom' }),
]
const paidBy = (payer: string) => event('tx', { fee_payer: payer })
const tx = (number: number, events: unknown[]) => ({
  txhash: number.toString(16).toUpperCase().padStart(64, '0'),
  height: String(number),
  timestamp: '2025-06-22T16:44:37Z',
  code: 0,
  events,
})

/** A node that gives these transactions, and counts `total` of them. */
function reading(rows: readonly unknown[], total = rows.length) {
  const { http, asked } = scriptedHttp(({ url }) => {
    if (url.includes('/txs')) return { tx_responses: rows, total: String(total) }
    if (url.includes('/blocks/'))
      return { block: { header: { height: String(HEAD), time: '2025-06-22T16:44:37.9Z' } } }
    const none = { pagination: { next_key: null } }
    return { balances: [], delegation_responses: [], unbonding_responses: [], ...none }
  })
  const source = createCosmos({ http, name: 'node', url: 'http://node', prefix: 'cosmos', denom: 'uatom' })
  const read = (cursor: number, { lookBack = false, next = null as string | null } = {}) =>
    source.readHistory(historyRequest({ address: OWN, cursor, headBlock: HEAD, lookBack, next }))
  return { source, asked, read }
}

test.each([
  [499, false, 500],
  [499, true, 400],
  [99, true, 1],
  [100, true, 1],
  [101, true, 2],
  [-1, false, 1],
])('after block %i, looking back (%s), it reads from block %i', async (cursor, lookBack, from) => {
  const { asked, read } = reading([])
  await read(cursor, { lookBack })
  const query = new URL(asked[0]!.url).searchParams.get('query')
  expect(query).toBe(`coin_spent.spender='${OWN}' AND tx.height>=${from} AND tx.height<=${HEAD}`)
})

test('the history is complete after the last page of the second list, and before that it is where it was', async () => {
  const { asked, read } = reading(
    Array.from({ length: 100 }, () => tx(5, sent(OWN, OTHER))),
    200,
  )
  const places: unknown[] = []
  let next: string | null = null
  do {
    const part = await read(3, { next })
    places.push(part.through)
    next = part.next
  } while (next !== null)
  expect(places).toEqual([3, 3, 3, HEAD])
  const lists = asked.map(({ url }) => new URL(url).searchParams)
  expect(lists.map((one) => [one.get('query')!.split('=')[0], one.get('page')])).toEqual([
    ['coin_spent.spender', '1'],
    ['coin_spent.spender', '2'],
    ['coin_received.receiver', '1'],
    ['coin_received.receiver', '2'],
  ])
})

test('only transactions that the account paid for, or that moved coins of it, are its own', async () => {
  const { read } = reading([
    tx(5, [paidBy(OTHER), ...sent(OTHER, OWN)]),
    tx(6, [paidBy(OTHER), ...sent(OTHER, 'cosmos1third')]),
    tx(7, [paidBy(OWN), ...sent(OTHER, 'cosmos1third')]),
    tx(8, [paidBy(OTHER), ...sent(OWN, 'cosmos1third'), ...sent(OTHER, 'cosmos1third')]),
  ])
  const { range, fromBlock } = await read(3)
  expect(range.transactions.map(({ blockNumber }) => blockNumber)).toEqual([5, 7, 8])
  expect(range.blocks.map(({ number }) => number)).toEqual([5, 7, 8])
  expect(range.transfers.map(({ from, to }) => [from, to])).toEqual([
    [OTHER, OWN],
    [OWN, 'cosmos1third'],
  ])
  expect(fromBlock).toBe(5)
})

test('questions about an account or a block are named without it', async () => {
  const { source, asked } = reading([])
  await source.readBalances({ address: OWN, accounts: [], tokens: [], headBlock: HEAD })
  expect(asked.map(({ operation }) => operation)).toEqual([
    '/cosmos/bank/v1beta1/balances/*',
    '/cosmos/staking/v1beta1/delegations/*',
    '/cosmos/staking/v1beta1/delegators/*/unbonding_delegations',
    '/cosmos/base/tendermint/v1beta1/blocks/*',
  ])
})
