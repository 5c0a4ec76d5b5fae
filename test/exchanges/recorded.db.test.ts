import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Exchange } from 'ccxt'
import { afterAll, describe, expect, test } from 'vitest'
import { readWorkerConfig } from '../../activities/config.ts'
import { openClient } from '../../activities/exchanges/ccxt-client.ts'
import { balancesOf } from '../../activities/exchanges/connect.ts'
import { tradePage, transferPage } from '../../activities/exchanges/rows.ts'
import type { ExchangePage } from '../../activities/exchanges/exchange.ts'
import { exchangeSpec } from '../../activities/exchanges/exchanges.ts'
import { streamsOf } from '../../activities/exchanges/streams.ts'
import { createHttpClient } from '../../activities/http.ts'
import { createSourceGate } from '../../activities/source-gate.ts'
import { openDb } from '../../db/connect.ts'
import { EXCHANGES } from '../../db/values/exchanges.ts'
import { testDatabase } from '../setup/database.ts'
import { realdata } from '../setup/realdata.ts'

// Adapters on recorded answers and samples of the exchanges' documentation: each row appears once.

const database = await testDatabase()
const FOLDER = realdata ?? ''
const answers = new Map<string, string>()
const server = createServer((request, response) => {
  const path = new URL(request.url ?? '/', 'http://replay').pathname.replace(/^\/[a-z]+/, '')
  const text = answers.get(path)
  response.writeHead(text === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(text ?? '{}')
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const config = readWorkerConfig({
  INGEST_DATABASE_URL: database.ingestUrl,
  TEMPORAL_ADDRESS: 'unused:7233',
  ...Object.fromEntries(EXCHANGES.map(({ id }) => [`${id.toUpperCase()}_URL`, `${url}/${id}`])),
})
const connection = openDb({ url: database.ingestUrl, maxConnections: 2, applicationName: 'test' })
const gate = createSourceGate({ db: connection.db, limits: config.sources })
const http = createHttpClient({ gate, sources: config.sources, random: () => 0 })
afterAll(async () => {
  await http.close()
  await connection.close()
  server.closeAllConnections()
  server.close()
})

/** A client with the given markets, by the exchange's and by CCXT's symbol. */
async function clientOf(exchange: string, markets: Record<string, string>): Promise<Exchange> {
  const secret = exchange === 'kraken' ? Buffer.from('secret').toString('base64') : 'secret'
  const credentials = { apiKey: 'key', apiSecret: secret, passphrase: 'pass' }
  const client = await openClient({ http, config }, exchangeSpec(exchange), credentials)
  client.setMarkets(
    Object.entries(markets).map(([id, symbol]) => {
      const [base, quote] = symbol.split('/')
      return {
        id,
        symbol,
        base,
        quote,
        baseId: base,
        quoteId: quote,
        altname: id,
        active: true,
        type: 'spot',
        spot: true,
        contract: false,
        precision: {},
        limits: {},
      } as any
    }),
  )
  return client
}

/** A recording of JKorf: method, path, signed or not, answer. */
function recording(name: string): { path: string; body: any } {
  const [, path, , ...lines] = readFileSync(join(FOLDER, 'jkorf', `${name}.txt`), 'utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
  const body = lines.join('\n')
  answers.set(path!, body)
  return { path: path!, body: JSON.parse(body) }
}

async function readRecorded(
  exchange: string,
  stream: string,
  markets: Record<string, string>,
): Promise<ExchangePage> {
  const client = await clientOf(exchange, markets)
  const spec = streamsOf(exchangeSpec(exchange), client).find(({ name }) => name === stream)!
  const list = spec.lists === 'symbols' ? Object.values(markets)[0]! : '123'
  const from =
    spec.paging.kind === 'id' ? { fromId: spec.paging.first } : { sinceMs: 0, untilMs: Date.now(), offset: 0 }
  return spec.read(client, { limit: spec.paging.page, ...from, ...(spec.lists !== 'one' && { list }) })
}

const U = (exchange: string, path: string) => `${exchange}.Net/${exchange}.Net.UnitTests/Endpoints/${path}`
const OKX = (path: string) => U('OKX', `UnifiedApi/${path}`)
const COINBASE = (path: string) => U('Coinbase', `AdvancedTrade/${path}`)

interface Recorded {
  exchange: string
  stream: string
  file: string
  markets?: Record<string, string>
  /** Number of items in the answer. */
  items: (body: any) => number
  /** Number of items that belong to another list. */
  elsewhere?: number
  first: object
}

const recordings: Recorded[] = [
  {
    exchange: 'binance',
    stream: 'fills',
    file: U('Binance', 'Spot/Trading/GetUserTrades'),
    markets: { BNBBTC: 'BNB/BTC' },
    items: (body) => body.length,
    first: {
      key: 'BNB/BTC:28457',
      asset: 'BNB',
      amount: '12',
      quote_asset: 'BTC',
      quote_amount: '-48.000012',
      fee_asset: 'BNB',
      fee_amount: '10.1',
      at: new Date(1_499_865_549_590),
    },
  },
  {
    exchange: 'binance',
    stream: 'deposits',
    file: U('Binance', 'Spot/Account/GetDepositHistory'),
    items: (body) => body.length,
    first: { key: 'IOTA:769754833590042625', asset: 'IOTA', amount: '0.5', status: 'ok', type: 'deposit' },
  },
  {
    exchange: 'binance',
    stream: 'withdrawals',
    file: U('Binance', 'Spot/Account/GetWithdrawalHistory'),
    items: (body) => body.length,
    first: { asset: 'BTC', amount: '-0.0015', fee_asset: 'BTC', fee_amount: '0.004', status: 'ok' },
  },
  {
    exchange: 'binance',
    stream: 'dust',
    file: U('Binance', 'Spot/Account/GetDustLog'),
    markets: { BNBUSDT: 'BNB/USDT', BNBETH: 'BNB/ETH' },
    items: (body) => body.userAssetDribblets.flatMap((one: any) => one.userAssetDribbletDetails).length,
    first: {
      kind: 'dust',
      asset: 'BNB',
      amount: '0.000441',
      quote_asset: 'USDT',
      quote_amount: '-0.0009',
      fee_amount: '0.000009',
    },
  },
  {
    exchange: 'kraken',
    stream: 'fills',
    file: U('Kraken', 'Spot/Trading/GetUserTrades'),
    markets: { XXBTZUSD: 'BTC/USD' },
    items: (body) => Object.keys(body.result.trades).length,
    first: {
      key: 'BTC/USD:TCWJEG-FL4SZ-3FKGH6',
      asset: 'BTC',
      amount: '0.01',
      quote_amount: '-300.1',
      fee_amount: null,
    },
  },
  {
    exchange: 'kraken',
    stream: 'ledger',
    file: U('Kraken', 'Spot/Account/GetLedgerInfo'),
    items: (body) => Object.keys(body.result.ledger).length,
    elsewhere: 2,
    first: {},
  },
  {
    exchange: 'okx',
    stream: 'fills',
    file: OKX('Trading/GetUserTradesArchive'),
    markets: { 'BTC-USDT': 'BTC/USDT' },
    items: (body) => body.data.length,
    first: {
      asset: 'BTC',
      amount: '0.00192834',
      quote_amount: '-99.99985572',
      fee_asset: 'BTC',
      fee_amount: '0.00000192834',
    },
  },
  {
    exchange: 'okx',
    stream: 'deposits',
    file: OKX('Account/GetDepositHistory'),
    items: (body) => body.data.length,
    first: { asset: 'USDT', amount: '1', status: 'ok', network: 'TRC20' },
  },
  {
    exchange: 'okx',
    stream: 'withdrawals',
    file: OKX('Account/GetWithdrawalHistory'),
    items: (body) => body.data.length,
    first: { asset: 'ETH', amount: '-0.029809', fee_amount: '0.007', status: 'ok' },
  },
  {
    exchange: 'bitget',
    stream: 'fills',
    file: U('Bitget', 'Spot/Trading/GetUserTrades'),
    markets: { BTCUSDT: 'BTC/USDT' },
    items: (body) => body.data.length,
    first: {
      asset: 'BTC',
      amount: '0.0007',
      quote_amount: '-9.1',
      fee_asset: 'BTC',
      fee_amount: '0.0000007',
    },
  },
  {
    exchange: 'bitget',
    stream: 'deposits',
    file: U('Bitget', 'Spot/Account/GetDepositHistory'),
    items: (body) => body.data.length,
    first: { asset: 'USDT', amount: '10', status: 'ok', key: 'USDT:1' },
  },
  {
    exchange: 'bitget',
    stream: 'withdrawals',
    file: U('Bitget', 'Spot/Account/GetWithdrawalHistory'),
    items: (body) => body.data.length,
    // `size` is the amount that left the account, fee included.
    first: { asset: 'USDT', amount: '-9', fee_amount: '1', status: 'ok' },
  },
  {
    exchange: 'coinbase',
    stream: 'fills',
    file: COINBASE('Trading/GetUserTrades'),
    markets: { 'BTC-USD': 'BTC/USD' },
    items: (body) => body.fills.length,
    first: { asset: 'BTC', amount: '0.001', quote_amount: '-10', fee_asset: 'USD', fee_amount: '1.25' },
  },
  {
    exchange: 'coinbase',
    stream: 'transactions',
    file: COINBASE('Account/GetTransactions'),
    items: (body) => body.data.length,
    first: { kind: 'withdrawal', asset: 'BTC', amount: '-0.001', fee_amount: null },
  },
]

describe.skipIf(!realdata)('recorded answers', () => {
  test.each(recordings)(
    '$exchange: reads every row of $stream once',
    async ({ exchange, stream, file, markets = {}, items, elsewhere = 0, first }) => {
      const { body } = recording(file)
      const page = await readRecorded(exchange, stream, markets)
      expect(page.quarantined).toEqual([])
      expect(page.count).toBe(items(body))
      expect(page.rows.length).toBe(items(body) - elsewhere)
      if (page.rows.length > 0) expect(page.rows[0]).toMatchObject(first)
      const keys = page.rows.map(({ kind, key }) => `${kind} ${key}`)
      expect(new Set(keys).size).toBe(keys.length)
    },
  )

  test.each([
    [
      'binance',
      U('Binance', 'Spot/Account/GetAccountInfo'),
      { BTC: '4723846.89208129', LTC: '4763368.68006011' },
    ],
    ['kraken', U('Kraken', 'Spot/Account/GetAvailableBalances'), { USD: '25435.21', BTC: '1.2435' }],
    ['okx', OKX('Account/GetAccountBalance'), { USDT: '4992.890093622894' }],
    ['bitget', U('Bitget', 'Spot/Account/GetSpotBalances'), {}],
  ] as const)('%s: reads the balances', async (exchange, file, expected) => {
    recording(file)
    const balances = await balancesOf(await clientOf(exchange, {}), {})
    expect(Object.fromEntries(balances.map(({ asset, amount }) => [asset, amount]))).toEqual(expected)
  })

  test.each([
    ['binance', U('Binance', 'Spot/Account/GetAPIKeyPermissions'), ['portfolio margin']],
    ['okx', OKX('Account/GetAccountConfiguration'), ['withdraw', 'trade']],
    ['bitget', U('Bitget', 'Spot/Account/GetAccountInfo'), ['trade']],
    ['coinbase', COINBASE('Account/GetApiKeyInfo'), ['trade', 'transfer']],
  ] as const)('%s: reads the rights of the key', async (exchange, file, rights) => {
    recording(file)
    expect(await exchangeSpec(exchange).rights!(await clientOf(exchange, {}))).toEqual(rights)
  })

  test("reads gocryptotrader's recording of a Binance account as no balances", async () => {
    const file = join(FOLDER, 'gocryptotrader/exchanges/binance/testdata/http.json')
    const [{ data }] = JSON.parse(readFileSync(file, 'utf8')).routes['/api/v3/account'].GET
    answers.set('/api/v3/account', JSON.stringify(data))
    const client = await clientOf('binance', {})
    const { total } = (await client.fetchBalance()) as any
    expect(Object.keys(total).length).toBe(new Set(data.balances.map(({ asset }: any) => asset)).size)
    const held = data.balances.filter(({ free, locked }: any) => Number(free) + Number(locked) > 0)
    expect(await balancesOf(client, {})).toHaveLength(held.length)
  })
})

/** Samples from the comments of CCXT's parsers. Each is one row, plus one for each further fee. */
const samples: {
  exchange: string
  method: 'parseTrade' | 'parseTransaction'
  index: number
  kind: 'trade' | 'deposit' | 'withdrawal'
  market?: readonly [id: string, symbol: string]
  row: object
  rows?: number
}[] = [
  { exchange: 'binance', ...trade(3, 'BNBBTC', 'BNB/BTC'), row: { amount: '12', fee_amount: '10.1' } },
  { exchange: 'binance', ...trade(10, 'ADAUSDT', 'ADA/USDT'), row: { asset: 'ADA' } },
  { exchange: 'binance', ...transfer(0, 'deposit'), row: { asset: 'USDT', amount: '4500', status: 'ok' } },
  { exchange: 'coinbase', ...trade(2, 'BTC-USDT', 'BTC/USDT'), row: { asset: 'BTC', quote_asset: 'USDT' } },
  {
    exchange: 'kraken',
    ...trade(1, 'USDCUSDT', 'USDC/USDT'),
    row: { amount: '-22.2', quote_amount: '22.16892001', fee_amount: '0.04433784' },
  },
  {
    exchange: 'okx',
    ...trade(2, 'ETH-USDT', 'ETH/USDT'),
    row: { fee_asset: 'ETH', fee_amount: '0.000007533' },
  },
  {
    exchange: 'bybit',
    ...trade(1, 'QNTUSDT', 'QNT/USDT'),
    row: { amount: '-0.415', quote_amount: '40.919', fee_amount: '0.040919' },
  },
  { exchange: 'bybit', ...transfer(0, 'withdrawal'), row: { amount: '-12.34', fee_amount: '0.5' } },
  { exchange: 'bybit', ...transfer(1, 'deposit'), row: { amount: '44', status: 'ok', fee_amount: null } },
  {
    exchange: 'bitget',
    ...trade(1, 'BTCUSDT', 'BTC/USDT'),
    row: { amount: '-0.0002', quote_amount: '5.693536', fee_amount: '0.005693536' },
  },
  // Gate takes fees in the received asset, in its own coin or in points.
  {
    exchange: 'gate',
    ...trade(3, 'DOGE_USDT', 'DOGE/USDT'),
    row: { amount: '-10.97', quote_amount: '1.50710248', fee_amount: '0.00301420496' },
    rows: 3,
  },
  { exchange: 'gate', ...transfer(2, 'withdrawal'), row: { amount: '-222.61', fee_amount: '0.01' } },
]

function trade(index: number, id: string, symbol: string) {
  return { method: 'parseTrade', index, kind: 'trade', market: [id, symbol] } as const
}
function transfer(index: number, kind: 'deposit' | 'withdrawal') {
  return { method: 'parseTransaction', index, kind } as const
}

describe.skipIf(!realdata)('samples from documentation', () => {
  const sampleOf = (exchange: string, method: string, index: number) =>
    JSON.parse(readFileSync(join(FOLDER, 'ccxt-comment-samples', `${exchange}.json`), 'utf8'))[method][index]
      .json

  test.each(samples)(
    'reads sample $exchange $method $index',
    async ({ exchange, method, index, kind, market, row, rows = 1 }) => {
      const client = await clientOf(exchange, market ? { [market[0]]: market[1] } : {})
      const given = {
        ...sampleOf(exchange, method, index),
        ...(kind !== 'trade' && exchange === 'binance' && { type: kind }),
      }
      const parsed = (client as any)[method](given, market && client.market(market[1]))
      const page = kind === 'trade' ? tradePage([parsed]) : transferPage([parsed], kind)
      expect(page.quarantined).toEqual([])
      expect(page.rows).toHaveLength(rows)
      expect(page.rows[0]).toMatchObject(row)
      expect(page.rows.slice(1).map((other) => other.kind)).toEqual(
        Array.from({ length: rows - 1 }, () => 'fee'),
      )
    },
  )

  test('removes the network from an asset of Gate', async () => {
    answers.set('/api/v4/wallet/deposits', JSON.stringify([sampleOf('gate', 'parseTransaction', 0)]))
    const { rows, quarantined } = await readRecorded('gate', 'deposits', {})
    expect(quarantined).toEqual([])
    expect(rows).toMatchObject([{ asset: 'USDT', amount: '100', kind: 'deposit', status: 'ok' }])
  })

  test('quarantines a fill of a perpetual contract and a fee above its amount', async () => {
    const client = await clientOf('binance', {})
    const contract = { ...client.safeMarket('BTCUSDT'), symbol: 'BTC/USDT:USDT' } as any
    const page = tradePage([client.parseTrade(sampleOf('binance', 'parseTrade', 8), contract)])
    expect([page.rows.length, page.quarantined.length]).toEqual([0, 1])
    const bitget = await clientOf('bitget', {})
    const sample = bitget.parseTransaction(sampleOf('bitget', 'parseTransaction', 1))
    const { rows, quarantined } = transferPage([sample], 'withdrawal')
    expect([rows.length, quarantined[0]?.reason]).toEqual([0, 'a fee above the amount'])
  })
})
