import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ccxt, { type Exchange } from 'ccxt'
import { describe, expect, test } from 'vitest'
import { exchangeSpec } from '../../activities/exchanges/exchanges.ts'
import { mixedTransferPage, tradePage, transferPage } from '../../activities/exchanges/rows.ts'
import { realdata } from '../setup/realdata.ts'
import { WIRES } from './wires/all.ts'

// Answers that maintainers of CCXT recorded above its parsers, of the exchanges without other recordings.

interface Sample {
  exchange: string
  method: 'parseTrade' | 'parseTransaction'
  index: number
  market?: readonly [id: string, symbol: string]
  /** Undefined: a fill, or a transfer whose direction CCXT tells. */
  kind?: 'deposit' | 'withdrawal'
  row: object
}

const samples: Sample[] = [
  {
    exchange: 'mexc',
    method: 'parseTrade',
    index: 2,
    market: ['BTCUSDT', 'BTC/USDT'],
    row: {
      asset: 'BTC',
      amount: '0.0002',
      quote_amount: '-8.399102',
      fee_asset: 'USDT',
      fee_amount: '0.016798204',
    },
  },
  {
    exchange: 'htx',
    method: 'parseTrade',
    index: 1,
    market: ['swftcbtc', 'SWFTC/BTC'],
    // Paid with points.
    row: {
      asset: 'SWFTC',
      amount: '45941.53',
      quote_asset: 'BTC',
      fee_asset: 'HT',
      fee_amount: '0.005826843283532154',
    },
  },
  {
    exchange: 'htx',
    method: 'parseTransaction',
    index: 0,
    kind: 'withdrawal',
    row: {
      asset: 'USDT',
      amount: '-12',
      fee_asset: 'USDT',
      fee_amount: '1',
      status: 'ok',
      key: 'USDT:61335312',
    },
  },
  {
    exchange: 'cryptocom',
    method: 'parseTrade',
    index: 1,
    market: ['BTC_USD', 'BTC/USD'],
    row: {
      asset: 'BTC',
      amount: '0.00021',
      quote_amount: '-5.5329036',
      fee_asset: 'BTC',
      fee_amount: '0.0000000525',
    },
  },
  {
    exchange: 'cryptocom',
    method: 'parseTransaction',
    index: 0,
    kind: 'deposit',
    row: { asset: 'BTC', amount: '0.00114571', status: 'ok', fee_amount: null },
  },
  {
    exchange: 'cryptocom',
    method: 'parseTransaction',
    index: 1,
    kind: 'withdrawal',
    row: { asset: 'BTC', amount: '-0.0005', status: 'pending', fee_amount: '0.0005' },
  },
  {
    exchange: 'bitfinex',
    method: 'parseTransaction',
    index: 0,
    row: { kind: 'withdrawal', asset: 'ETH', amount: '-0.24', status: 'failed', fee_amount: '0.00135' },
  },
  {
    exchange: 'bitstamp',
    method: 'parseTrade',
    index: 1,
    market: ['ethusdt', 'ETH/USDT'],
    row: {
      asset: 'ETH',
      amount: '0.005',
      quote_asset: 'USDT',
      quote_amount: '-22.26',
      fee_amount: '0.11128',
    },
  },
  {
    exchange: 'gemini',
    method: 'parseTrade',
    index: 1,
    market: ['etheur', 'ETH/EUR'],
    row: { asset: 'ETH', amount: '-0.00996', quote_asset: 'EUR', quote_amount: '38.844', fee_amount: null },
  },
  {
    exchange: 'bitvavo',
    method: 'parseTrade',
    index: 2,
    market: ['ETH-EUR', 'ETH/EUR'],
    row: {
      asset: 'ETH',
      amount: '-0.249825',
      quote_amount: '45.84038925',
      fee_asset: 'EUR',
      fee_amount: '0.12038925',
    },
  },
  {
    exchange: 'bitvavo',
    method: 'parseTransaction',
    index: 1,
    kind: 'withdrawal',
    row: { asset: 'BTC', amount: '-0.99994', status: 'pending', fee_amount: '0.00006' },
  },
  {
    exchange: 'bitvavo',
    method: 'parseTransaction',
    index: 2,
    kind: 'deposit',
    row: { asset: 'ETH', amount: '0.249825', status: 'ok', fee_amount: null },
  },
]

function clientOf(exchange: string, [id, symbol]: readonly [string, string]): Exchange {
  const { options } = exchangeSpec(exchange)
  const client: Exchange = new ccxt[exchange as 'htx']({ number: String as never, options })
  Object.assign(client.options, WIRES[exchange]!.options)
  const [base = '', quote = ''] = symbol.split('/')
  const ids = { baseId: base.toLowerCase(), quoteId: quote.toLowerCase() }
  client.setMarkets([
    { id, symbol, base, quote, ...ids, type: 'spot', spot: true, precision: {}, limits: {} },
  ] as never)
  return client
}

describe.skipIf(!realdata)('samples of the other exchanges', () => {
  test.each(samples)('$exchange $method $index', ({ exchange, method, index, market, kind, row }) => {
    const file = join(realdata!, 'ccxt-comment-samples', `${exchange}.json`)
    const recorded = JSON.parse(readFileSync(file, 'utf8')) as Record<string, { json: unknown }[]>
    const client = clientOf(exchange, market ?? WIRES[exchange]!.market)
    const given = recorded[method]![index]!.json
    const parsed: unknown = client[method](given as never, market && (client.market(market[1]) as never))
    const transfers = () => (kind ? transferPage([parsed], kind) : mixedTransferPage([parsed]))
    const { rows, quarantined } = method === 'parseTrade' ? tradePage([parsed]) : transfers()
    expect(quarantined).toEqual([])
    expect(rows).toMatchObject([row])
  })
})
