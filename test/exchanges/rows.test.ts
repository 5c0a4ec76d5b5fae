import { describe, expect, test } from 'vitest'
import { endsOf, mixedTransferPage, tradePage, transferPage } from '../../activities/exchanges/rows.ts'

const AT = 1_772_323_200_000

describe('the ends of a page', () => {
  test('are those of all its items, in any order, as far as they have times and ids', () => {
    const items = [
      { id: '9', timestamp: AT + 5 },
      { id: '10', timestamp: AT },
      { id: 'x', timestamp: 0 },
      { timestamp: 'soon' },
      { id: 7, timestamp: AT + 9 },
    ]
    expect(endsOf(items)).toEqual({
      count: 5,
      firstMs: AT,
      lastMs: AT + 9,
      firstId: '9',
      lastId: '10',
    })
    expect(endsOf(items.toReversed())).toEqual(endsOf(items))
  })

  test('are unknown without times, and the last of the ids where none is a number', () => {
    const nothing = { count: 0, firstMs: null, lastMs: null, firstId: null, lastId: null }
    expect(endsOf([])).toEqual(nothing)
    expect(endsOf([{ id: 'a' }, { id: 'b' }])).toEqual({ ...nothing, count: 2, lastId: 'b' })
  })
})

describe('fills', () => {
  const fill = {
    id: '1',
    symbol: 'BTC/USDT',
    timestamp: AT,
    side: 'buy',
    amount: '2',
    price: '3',
    cost: '7',
  }
  const read = (told: object, kind?: 'dust' | 'convert') => tradePage([{ ...fill, ...told }], kind)

  test('have what they cost, else price times amount; one with neither is put aside', () => {
    const quote = (told: object) => read(told).rows[0]?.quote_amount
    expect(quote({})).toBe('-7')
    expect(quote({ cost: null })).toBe('-6')
    expect(quote({ price: undefined })).toBe('-7')
    expect(read({ cost: undefined, price: null })).toMatchObject({
      rows: [],
      quarantined: [{ reason: 'neither cost nor price' }],
      count: 1,
    })
  })

  test('move both sides, by their side', () => {
    expect(read({}).rows).toMatchObject([
      { asset: 'BTC', amount: '2', quote_asset: 'USDT', quote_amount: '-7' },
    ])
    expect(read({ side: 'sell' }, 'dust').rows).toMatchObject([
      { kind: 'dust', type: 'executed', asset: 'BTC', amount: '-2', quote_amount: '7' },
    ])
  })

  test('have one fee, and a row for each further one that is not zero', () => {
    const paid = (currency: string | undefined, cost: string | null) => ({ currency, cost })
    const fees = (told: object) =>
      read(told).rows.map((row) =>
        row.kind === 'fee' ? [row.key, row.asset, row.amount] : [row.key, row.fee_asset, row.fee_amount],
      )
    const key = 'BTC/USDT:1'
    expect(fees({ fee: paid('BNB', '0.1') })).toEqual([[key, 'BNB', '0.1']])
    expect(fees({ fee: paid('BNB', '0.1'), fees: [] })).toEqual([[key, 'BNB', '0.1']])
    expect(fees({ fee: paid('BNB', '0.1'), fees: [paid('BTC', '1'), paid('USDT', '2')] })).toEqual([
      [key, 'BTC', '1'],
      [`${key}:2`, 'USDT', '-2'],
    ])
    for (const none of [paid('BNB', '0.0'), paid('BNB', null), paid(undefined, '1'), null])
      expect(fees({ fee: none, fees: [none, paid('BTC', '1')] })).toEqual([[key, 'BTC', '1']])
    expect(fees({ fee: null })).toEqual([[key, null, null]])
  })
})

describe('transfers', () => {
  const transfer = { id: '1', txid: '0xa', timestamp: AT, currency: 'ETH', amount: '2', status: 'ok' }
  const read = (told: object, kind: 'deposit' | 'withdrawal' = 'deposit') =>
    transferPage([{ ...transfer, ...told }], kind)

  test('have the key of their id, else of what they paid to whom in which chain transaction', () => {
    const key = (told: object) => read(told).rows[0]?.key
    expect(key({})).toBe('ETH:1')
    expect(key({ id: null, address: '0xb' })).toBe('ETH:0xa:0xb:2')
    expect(key({ id: undefined })).toBe('ETH:0xa::2')
    expect(key({ txid: null })).toBe('ETH:1')
    expect(read({ id: null, txid: null }).quarantined).toMatchObject([
      { reason: 'neither id nor transaction hash' },
    ])
  })

  test('wait while they say no status; those of an unknown one, or below zero, are put aside', () => {
    expect(read({ status: null }).rows).toMatchObject([{ status: 'pending' }])
    expect(read({}).rows).toMatchObject([{ status: 'ok', tx_hash: '0xa', network: null, address: null }])
    expect(read({ status: 'sleeping' }).quarantined).toHaveLength(1)
    expect(read({ amount: '-0.1' }).quarantined).toMatchObject([{ reason: 'a fee above the amount' }])
    expect(read({ amount: '0' }).rows).toHaveLength(1)
  })

  test('come in or go out, the latter with the fee', () => {
    expect(read({}).rows).toMatchObject([{ type: 'deposit', amount: '2', fee_asset: null, fee_amount: null }])
    expect(read({ fee: { currency: 'ETH', cost: '0.1' } }, 'withdrawal').rows).toMatchObject([
      { type: 'withdraw', amount: '-2', fee_asset: 'ETH', fee_amount: '0.1' },
    ])
  })

  test('of a mixed list go by their own kind, in either word', () => {
    const types = ['deposit', 'withdraw', 'withdrawal', 'gift']
    const { rows, quarantined, count } = mixedTransferPage(types.map((type) => ({ ...transfer, type })))
    expect(rows.map(({ kind }) => kind)).toEqual(['deposit', 'withdrawal', 'withdrawal'])
    expect([quarantined.length, count]).toEqual([1, 4])
  })
})
