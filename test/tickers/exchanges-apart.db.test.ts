import { afterAll, beforeEach, expect, test } from 'vitest'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import { readExchange, readExchanges } from '../../db/tickers/read-exchanges.ts'
import {
  readLargestExchanges,
  readLargestPairs,
  readListedExchanges,
  readUnchartedExchanges,
} from '../../db/tickers/read-for-ingest.ts'
import { countTickers, readPairPrice, readTickers, readTickersAsOf } from '../../db/tickers/read-tickers.ts'
import { markCharted, rankExchanges, storeExchanges, storeVolumes } from '../../db/tickers/write-exchanges.ts'
import { storeTickers, unlistUnread } from '../../db/tickers/write-tickers.ts'
import { transact } from '../../db/transact.ts'
import { changedRows } from '../setup/changed-rows.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

// What is read and written of one exchange, market or source contains nothing of another.

const database = await testDatabase()
const { db, pool, close } = openDb({ url: database.ownerUrl, maxConnections: 2, applicationName: 'test' })
const reader = openReadonlyDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
afterAll(() => Promise.all([close(), reader.close()]))
const run = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)
const at = (text: string) => new Date(`2026-03-${text}Z`)
const NOW = at('10T00:00:00')

const exchange = (exchangeId: string, volume24hUsd: string, values: object = {}) => ({
  exchangeId,
  name: exchangeId.toUpperCase(),
  icon: null,
  url: null,
  volume24hUsd,
  volume7dUsd: null,
  volume30dUsd: null,
  source: 'coingecko',
  bySource: [{ source: 'coingecko', upstreamId: `${exchangeId}-there`, volume24hUsd }],
  ...values,
})
const ticker = (base: string, target: string, volumeUsd: string, time = NOW) => ({
  base,
  target,
  baseCoinId: base.toLowerCase(),
  targetCoinId: target.toLowerCase(),
  pairPrice: '1',
  pairVolume: '1',
  priceUsd: '1',
  volumeUsd,
  verified: base !== 'DOT',
  at: time,
})
const store = (exchangeId: string, seenAt: Date, ...tickers: ReturnType<typeof ticker>[]) =>
  transact(pool, (trx) => storeTickers(trx, { exchangeId, tickers, seenAt, source: 'coingecko' }))

/** Three listed exchanges, and one that is not; the two largest have the same markets. */
beforeEach(async () => {
  await run(
    `truncate ticker_exchanges, ticker_exchange_mappings, ticker_exchange_volumes, tickers, ticker_prices`,
  )
  await transact(pool, async (trx) => {
    const known = [
      exchange('large', '30'),
      exchange('small', '10'),
      exchange('equal', '10'),
      exchange('gone', '99'),
    ]
    await storeExchanges(trx, { exchanges: known, at: NOW, fetchedAt: NOW })
    const other = {
      source: 'coinpaprika',
      bySource: [{ source: 'coinpaprika', upstreamId: 'x', volume24hUsd: '1' }],
    }
    await storeExchanges(trx, { exchanges: [exchange('mute', '1', other)], at: NOW, fetchedAt: NOW })
    await rankExchanges(trx, { listedIds: ['small', 'equal', 'large', 'mute'] })
  })
  for (const id of ['large', 'small'])
    await store(id, NOW, ticker('BTC', 'USD', '5'), ticker('ETH', 'BTC', '7'), ticker('DOT', 'USD', '5'))
})

const TABLES = {
  ticker_exchanges: 'id',
  tickers: `concat_ws(' ', exchange_id, base, target)`,
  ticker_prices: `concat_ws(' ', exchange_id, base, target, 'price')`,
}
const changed = async (work: () => Promise<unknown>) =>
  [...new Set(await changedRows(database, TABLES, work))].sort()

test('exchanges: the listed ones by volume, one by its name or id, and those that a source knows', async () => {
  expect((await readExchanges(reader.db)).map(({ id, rank }) => [id, rank])).toEqual([
    ['large', 1],
    ['equal', 2],
    ['small', 3],
    ['mute', 4],
  ])
  expect((await readListedExchanges(db)).map(({ id }) => id).sort()).toEqual([
    'equal',
    'large',
    'mute',
    'small',
  ])
  const largest = async (source: string, limit = 9) =>
    (await readLargestExchanges(db, { source, limit })).map(({ exchangeId }) => exchangeId)
  expect(await largest('coingecko')).toEqual(['large', 'equal', 'small'])
  expect(await largest('coingecko', 1)).toEqual(['large'])
  expect(await largest('coinpaprika')).toEqual(['mute'])
  expect(await changed(() => markCharted(db, { exchangeId: 'equal', at: NOW }))).toEqual(['equal'])
  expect(
    (await readUnchartedExchanges(db, { source: 'coingecko', limit: 9 })).map(({ exchangeId }) => exchangeId),
  ).toEqual(['large', 'small'])
  expect(await readExchange(reader.db, 'LARGE')).toEqual({ id: 'large', tickersAt: NOW })
  await run(`update ticker_exchanges set name = 'Twin' where id in ('large', 'small', 'gone')`)
  expect(await readExchange(reader.db, 'twin')).toMatchObject({ id: 'large' })
  expect(await readExchange(reader.db, 'small')).toMatchObject({ id: 'small' })
  expect(await readExchange(reader.db, 'nobody')).toBeUndefined()
})

test('markets: of the exchange, the pair and the coin on either side', async () => {
  const find = async (asked: object) => {
    const wanted = { exchangeId: null, onlyVerified: false, ...asked }
    const found = await readTickers(reader.db, { ...wanted, limit: 9, offset: 0 })
    expect(await countTickers(reader.db, wanted)).toBe(found.length)
    return found.map((row) => `${row.exchange} ${row.base}/${row.target}`)
  }
  expect(await find({ exchangeId: 'small' })).toEqual(['SMALL ETH/BTC', 'SMALL BTC/USD', 'SMALL DOT/USD'])
  expect(await find({ base: 'BTC' })).toEqual(['LARGE BTC/USD', 'SMALL BTC/USD'])
  expect(await find({ exchangeId: 'large', base: 'BTC', target: 'USD' })).toEqual(['LARGE BTC/USD'])
  expect(await find({ exchangeId: 'large', coinId: 'btc' })).toEqual(['LARGE ETH/BTC', 'LARGE BTC/USD'])
  expect(await find({ exchangeId: 'large', onlyVerified: true })).toEqual(['LARGE ETH/BTC', 'LARGE BTC/USD'])
  const pairs = await readLargestPairs(db, { exchangeId: 'large', source: 'coingecko', limit: 2 })
  expect(pairs).toEqual([
    { base: 'ETH', target: 'BTC', newest: NOW },
    { base: 'BTC', target: 'USD', newest: NOW },
  ])
  await store('large', at('10T01:00:00'), ticker('ETH', 'USD', '9', at('10T01:00:00')))
  const newest = async (source: string) =>
    (await readLargestPairs(db, { exchangeId: 'large', source, limit: 9 })).map((pair) => pair.newest)
  expect(await newest('coingecko')).toEqual([at('10T01:00:00'), NOW, NOW, NOW])
  expect(await newest('coinpaprika')).toEqual([null, null, null, null])
})

test('prices of a market: the last one up to an instant, and not before another', async () => {
  await run(`update ticker_prices set pair_price = case exchange_id when 'large' then 2 else 3 end`)
  const price = async (time: Date, notBefore: Date, pair: object = {}) => {
    const asked = { exchangeId: 'large', base: 'BTC', target: 'USD', at: time, notBefore, ...pair }
    return (await readPairPrice(reader.db, asked))?.pairPrice
  }
  const [before, after] = [at('09T23:59:59'), at('10T00:00:01')]
  expect(await price(NOW, NOW)).toBe('2')
  expect(await price(NOW, NOW, { exchangeId: 'small' })).toBe('3')
  expect(await price(before, at('01T00:00:00'))).toBeUndefined()
  expect(await price(after, after)).toBeUndefined()
  expect(await price(NOW, NOW, { target: 'EUR' })).toBeUndefined()
  expect(await price(NOW, NOW, { base: 'XRP' })).toBeUndefined()
})

test('a market that is missing twice is unlisted at its exchange, and those of exchanges that are read no more', async () => {
  const [second, third] = [at('10T01:00:00'), at('10T02:00:00')]
  const listed = async () =>
    (
      await run<{ key: string }>(
        `select exchange_id || ' ' || base as key from tickers where listed order by exchange_id, base`,
      )
    ).map(({ key }) => key)
  const others = ['small BTC', 'small DOT', 'small ETH']
  expect(await changed(() => store('large', second, ticker('ETH', 'BTC', '7', second)))).toEqual([
    'large',
    'large ETH BTC',
    'large ETH BTC price',
  ])
  expect(await listed()).toEqual(['large BTC', 'large DOT', 'large ETH', ...others])
  await store('large', third, ticker('ETH', 'BTC', '7', third))
  expect(await listed()).toEqual(['large ETH', ...others])
  expect(await readTickersAsOf(reader.db)).toEqual(NOW)
  await unlistUnread(db, { since: NOW })
  expect(await listed()).toEqual(['large ETH', ...others])
  expect(await changed(() => unlistUnread(db, { since: second }))).toEqual([
    'small',
    'small BTC USD',
    'small DOT USD',
    'small ETH BTC',
  ])
  expect(await listed()).toEqual(['large ETH'])
  expect(await readTickersAsOf(reader.db)).toEqual(third)
})

test('changes and volumes of a week follow from the points of one source, six hours old at most', async () => {
  const volume = (exchangeId: string, source: string, hoursAgo: number, volume24hUsd: string) => ({
    exchangeId,
    source,
    at: new Date(NOW.getTime() - hoursAgo * 3_600_000),
    volume24hUsd,
  })
  const week = (exchangeId: string, source: string, volumes: readonly string[], hours = 0) =>
    volumes.map((one, day) => volume(exchangeId, source, day * 24 + hours, one))
  const derive = async (...points: ReturnType<typeof volume>[]) => {
    await run('update ticker_exchanges set change_24h = null, volume_7d_usd = null')
    await run('delete from ticker_exchange_volumes')
    await transact(pool, async (trx) => {
      await storeVolumes(trx, { points, fetchedAt: NOW })
      await rankExchanges(trx, { listedIds: ['small', 'equal', 'large', 'mute'] })
    })
    return Object.fromEntries(
      (await readExchanges(reader.db))
        .filter((row) => row.change_24h !== null || row.volume_7d_usd !== null)
        .map((row) => [row.id, [Number(row.change_24h), row.volume_7d_usd]]),
    )
  }
  const seven = ['30', '20', '1', '1', '1', '1', '1']
  expect(
    await derive(...week('large', 'coingecko', seven), ...week('small', 'coingecko', ['1', '2'])),
  ).toEqual({
    large: [50, '55'],
    small: [-50, null],
  })
  // The source of the served volume comes first; the other only where that has no change.
  const other = week('large', 'coinpaprika', ['9', '3', '1', '1', '1', '1', '1'])
  expect(await derive(...week('large', 'coingecko', seven), ...other)).toEqual({ large: [50, '55'] })
  expect(await derive(volume('large', 'coingecko', 0, '1'), ...other)).toEqual({ large: [200, null] })
  // Points older than six hours count no more, neither now nor a day ago.
  expect(await derive(...week('large', 'coingecko', seven, 6))).toEqual({})
  expect(await derive(volume('large', 'coingecko', 0, '4'), volume('large', 'coingecko', 29, '2'))).toEqual({
    large: [100, null],
  })
  expect(await derive(volume('large', 'coingecko', 0, '4'), volume('large', 'coingecko', 30, '2'))).toEqual(
    {},
  )
})
