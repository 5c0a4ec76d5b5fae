import { expect, test } from 'vitest'
import { NOBODY } from '../../activities/chain/chain-data.ts'
import { createCosmosDecoder } from '../../activities/chain/sources/cosmos-transaction.ts'
import { keepOwn } from '../../activities/chain/sources/keep-own.ts'
import { decodeUtxoTransaction, ownDelta } from '../../activities/chain/sources/utxo-transaction.ts'

// Chains whose rows have one party: inputs and outputs, and what an account spent or received.

const [ME, THEM, OTHER] = ['me', 'them', 'other'] as const
const output = (address: string | null, value: bigint) => ({ address, value })
const utxo = {
  txid: '1',
  blockNumber: 7,
  blockHash: '7',
  atMs: 0,
  fee: 3n,
  inputs: [null, output(OTHER, 0n), output(THEM, 9n), output(null, 4n), output(ME, 6n)],
  outputs: [
    output(null, 0n),
    output(ME, 0n),
    output(OTHER, 5n),
    output(null, 2n),
    output(ME, 1n),
    output(THEM, 8n),
  ],
}

test('inputs and outputs that hold something of an address are transfers, under their places', () => {
  const { transaction, transfers } = decodeUtxoTransaction(utxo)
  expect(transfers.map(({ kind, position, from, to, raw }) => [kind, position, from, to, raw])).toEqual([
    ['input', 2, THEM, NOBODY, 9n],
    ['input', 4, ME, NOBODY, 6n],
    ['output', 2, NOBODY, OTHER, 5n],
    ['output', 4, NOBODY, ME, 1n],
    ['output', 5, NOBODY, THEM, 8n],
  ])
  expect(transaction).toMatchObject({ from: THEM, value: 19n, fee: 3n, success: true })
  expect(decodeUtxoTransaction({ ...utxo, inputs: [null] }).transaction).toMatchObject({
    from: NOBODY,
    value: 0n,
  })
})

test('the balance of addresses changes by their outputs less their inputs', () => {
  const own = [[ME], [THEM], [ME, THEM], [OTHER]]
  expect(own.map((one) => ownDelta(new Set(one), utxo))).toEqual([-5n, -1n, -6n, 5n])
})

test('beside its own rows a wallet keeps the largest of others in each direction, of the tokens that it moved', () => {
  const { transfers } = decodeUtxoTransaction({
    ...utxo,
    inputs: [output(THEM, 9n), output(OTHER, 20n), output(THEM, 10n)],
    outputs: [output(ME, 1n), output(OTHER, 5n), output(THEM, 8n), output(OTHER, 7n)],
  })
  const foreign = { ...transfers[0]!, token: 'gem', raw: 99n }
  const kept = keepOwn(new Set([ME]), [foreign, ...transfers])
  expect(kept.map(({ kind, raw }) => [kind, raw])).toEqual([
    ['output', 1n],
    ['input', 20n],
    ['output', 8n],
  ])
  expect(keepOwn(new Set(['nobody of them']), transfers)).toEqual([])
})

const decode = createCosmosDecoder({ prefix: 'cosmos', denom: 'uatom' })
type Event = [type: string, attributes: Record<string, string>]
function cosmos(...events: Event[]) {
  const { transaction, transfers } = decode({
    txhash: '1',
    height: 7,
    timestamp: 0,
    code: 0,
    events: events.map(([type, attributes]) => ({ type, attributes: new Map(Object.entries(attributes)) })),
  })
  const moved = transfers.map(({ kind, token, from, to, raw }) => [kind, token, from, to, raw])
  return [transaction.from, transaction.fee, moved]
}
const spent = (spender: string, amount: string, rest = {}): Event => [
  'coin_spent',
  { spender, amount, ...rest },
]
const received = (receiver: string, amount: string, rest = {}): Event => [
  'coin_received',
  { receiver, amount, ...rest },
]
const fee = [spent(ME, '100uatom'), received('collector', '100uatom'), ['tx', { fee_payer: ME }]] as Event[]

test('before the first message that names an action, what is spent is the fee', () => {
  const events = [
    ['message', { sender: ME }] as Event,
    ...fee,
    ['message', { action: 'send' }] as Event,
    spent(ME, '5uatom,7ugem'),
    received(THEM, '5uatom,7ugem'),
  ]
  expect(cosmos(...events)).toEqual([
    ME,
    100n,
    [
      ['native', null, ME, THEM, 5n],
      ['issued', 'ugem', ME, THEM, 7n],
    ],
  ])
})

test('where events name their message, those without one are the fee', () => {
  const of = { msg_index: '0' }
  expect(cosmos(...fee, spent(ME, '5uatom', of), received(THEM, '5uatom', of))).toEqual([
    ME,
    100n,
    [['native', null, ME, THEM, 5n]],
  ])
})

test('what is received without being spent is minted, and what is spent without being received is burnt', () => {
  const events = [spent(ME, '4uatom,9ugem'), received(THEM, '10uatom,2ugem')]
  expect(cosmos(...fee, ['message', { action: 'swap' }], ...events)[2]).toEqual([
    ['native', null, ME, THEM, 4n],
    ['native', null, NOBODY, THEM, 6n],
    ['issued', 'ugem', ME, THEM, 2n],
    ['issued', 'ugem', ME, NOBODY, 7n],
  ])
})
