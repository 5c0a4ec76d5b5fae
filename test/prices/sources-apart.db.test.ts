import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import {
  countListed,
  hasCoinsOf,
  readAliases,
  readCoinsWithoutHistory,
  readContracts,
  readHistoryStates,
  readLaggingCoins,
  readLastQuoted,
  readMappings,
  readNewestRate,
  readNewestTotals,
  readQuotedPrices,
  readStoredCoins,
  readUndescribedCoins,
} from '../../db/prices/read-for-ingest.ts'
import { readMarketTotals } from '../../db/prices/read-markets.ts'
import { appendDay, appendQuotedHour, storePrices } from '../../db/prices/write.ts'
import { markListed } from '../../db/prices/write-coins.ts'
import { transact } from '../../db/transact.ts'
import { changedRows } from '../setup/changed-rows.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'
import { query } from '../setup/query.ts'

// What is read and written of the coins of one source contains nothing of another, and histories end where they end.

const database = await testDatabase()
const { db, pool, close } = openDb({ url: database.ownerUrl, maxConnections: 2, applicationName: 'test' })
const reader = openReadonlyDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
afterAll(() => Promise.all([close(), reader.close()]))
const run = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)
const at = (text: string) => new Date(`2026-03-${text}Z`)
const NOW = at('10T00:00:00')
const EARLIER = at('09T00:00:00')

/** Coins with a rank: two of one source, one of another, one delisted, one that no source knows. */
beforeAll(async () => {
  for (const [id, rank, source, mappedBy] of [
    ['one', 2, 'coingecko', 'coingecko'],
    ['two', 1, 'coingecko', 'coingecko'],
    ['other', 3, 'coinpaprika', 'coinpaprika'],
    ['gone', 4, 'coingecko', 'coingecko'],
    ['bare', null, 'coingecko', null],
  ] as const) {
    const contracts = [{ blockchain: 'ethereum', address: `0x${id}`, decimals: 18 }]
    const delistedAt = id === 'gone' ? { delistedAt: EARLIER } : {}
    await insertCoin(db, { id, rank, priceUsd: String(rank ?? 9), at: EARLIER, contracts, ...delistedAt })
    for (const [table, column] of [
      ['coins', 'id'],
      ['coin_quotes', 'coin_id'],
      ['coin_contracts', 'coin_id'],
    ])
      await run(`update ${table} set source = $1 where ${column} = $2`, [source, id])
    if (mappedBy !== null)
      await run('insert into coin_mappings (source, upstream_id, coin_id) values ($1, $2, $3)', [
        mappedBy,
        `${id}-there`,
        id,
      ])
  }
  await run(`update coin_quotes set fetched_at = $1 where source = 'coinpaprika'`, [NOW])
  await run(
    `insert into fx_rates (currency, at, per_usd, source, fetched_at)
     values ('EUR', $1, 1, 'ecb', $3), ('CHF', $2, 1, 'frankfurter', $3)`,
    [at('05T00:00:00'), at('06T00:00:00'), NOW],
  )
})

test('of one source: prices, coins, ids, contracts and times', async () => {
  expect([...(await readQuotedPrices(db, 'coinpaprika')).keys()]).toEqual(['other'])
  expect((await readQuotedPrices(db)).size).toBe(5)
  expect(
    (await readStoredCoins(db, 'coinpaprika')).map(({ coinId, isMapped }) => [coinId, isMapped]),
  ).toEqual([
    ['bare', false],
    ['gone', false],
    ['one', false],
    ['other', true],
    ['two', false],
  ])
  expect(await readLastQuoted(db, 'coingecko')).toEqual(EARLIER)
  expect(await readLastQuoted(db, 'coinpaprika')).toEqual(NOW)
  expect(await hasCoinsOf(db, 'coinpaprika')).toBe(true)
  expect(await hasCoinsOf(db, 'defillama')).toBe(false)
  expect(await readAliases(db, { source: 'coingecko', limit: 9 })).toEqual([
    { coinId: 'two', upstreamId: 'two-there' },
    { coinId: 'one', upstreamId: 'one-there' },
  ])
  expect(await readNewestRate(db, 'ecb')).toEqual(at('05T00:00:00'))
  expect(await readContracts(db, 'coinpaprika')).toEqual([{ blockchain: 'ethereum', address: '0xother' }])
  expect([...(await readMappings(db, 'coinpaprika'))]).toEqual([['other-there', 'other']])
  const coinIds = ['one', 'other', 'gone', 'bare']
  expect(await countListed(db, { source: 'coingecko', coinIds })).toBe(2)
})

test('histories: of the resolution, and under the names at each source', async () => {
  await run(
    `insert into price_histories (coin_id, resolution, from_at, to_at, floor_plan)
     values ('one', 'day', $1, $2, 'plan'), ('other', 'hour', $1, $2, null)`,
    [EARLIER, NOW],
  )
  const states = await readHistoryStates(db, { coinIds: ['one', 'other', 'bare'], resolution: 'day' })
  expect(
    states.map(({ coinId, geckoId, paprikaId, to, floorPlan }) => [
      coinId,
      geckoId,
      paprikaId,
      to,
      floorPlan,
    ]),
  ).toEqual([
    ['one', 'one-there', null, NOW, 'plan'],
    ['other', null, 'other-there', null, null],
  ])
})

test('lagging are listed coins whose history of the resolution ends before: held ones first', async () => {
  const lagging = (until: Date) => readLaggingCoins(db, { resolution: 'day', until, limit: 9 })
  expect(await lagging(NOW)).toEqual(['two', 'other', 'bare'])
  expect(await lagging(at('10T00:00:01'))).toEqual(['two', 'one', 'other', 'bare'])
  const missing = () =>
    readCoinsWithoutHistory(db, { resolution: 'day', quarantinedSince: EARLIER, limit: 9 })
  expect(await missing()).toEqual(['two', 'other'])
  const refuse = (source: string, area: string, payload: object, time = NOW) =>
    run(
      `insert into quarantine (source, area, reason, payload, fetched_at) values ($1, $2, 'refused', $3, $4)`,
      [source, area, JSON.stringify(payload), time],
    )
  const of = { coinId: 'two', resolution: 'day' }
  // Each differs in one point from a refusal that counts.
  await refuse('coinpaprika', 'prices', of)
  await refuse('coingecko', 'news', of)
  await refuse('coingecko', 'prices', { ...of, coinId: 'one' })
  await refuse('coingecko', 'prices', { ...of, resolution: 'hour' })
  await refuse('coingecko', 'prices', of, EARLIER)
  expect(await missing()).toEqual(['two', 'other'])
  await refuse('coingecko', 'prices', of)
  expect(await missing()).toEqual(['other'])
  const undescribed = async () =>
    (await readUndescribedCoins(db, { source: 'coingecko', limit: 9, refusedSince: EARLIER })).map(
      ({ coinId }) => coinId,
    )
  expect(await undescribed()).toEqual(['two', 'one'])
  const described = { describe: 'two' }
  await refuse('coinpaprika', 'prices', described)
  await refuse('coingecko', 'news', described)
  await refuse('coingecko', 'prices', { describe: 'other' })
  await refuse('coingecko', 'prices', described, EARLIER)
  expect(await undescribed()).toEqual(['two', 'one'])
  await refuse('coingecko', 'prices', described)
  expect(await undescribed()).toEqual(['one'])
  // One of its descriptions is enough.
  await run(`update coins set website_url = 'https://one.test' where id = 'one'`)
  expect(await undescribed()).toEqual([])
  await run('update coins set website_url = null')
})

test('coins that somebody holds come first, by rank as the others', async () => {
  const [wallet] = await run<{ id: string }>(`insert into wallets (address) values ('holder') returning id`)
  // A balance that was spent is none.
  for (const [coinId, raw] of [
    ['bare', 1],
    ['other', 1],
    ['two', 0],
  ])
    await run(
      `insert into balances (wallet_id, network_id, coin_id, raw, block_number, block_hash, source, fetched_at)
       values ($1, 'ethereum', $2, $3, 1, 'hash', 'test', $4)`,
      [wallet!.id, coinId, raw, NOW],
    )
  await run('delete from price_histories')
  await run('delete from quarantine')
  const input = { resolution: 'day', limit: 9 } as const
  expect(await readLaggingCoins(db, { ...input, until: NOW })).toEqual(['other', 'bare', 'two', 'one'])
  expect(await readLaggingCoins(db, { ...input, until: NOW, limit: 1 })).toEqual(['other'])
  // No source knows the bare one.
  expect(await readCoinsWithoutHistory(db, { ...input, quarantinedSince: EARLIER })).toEqual([
    'other',
    'two',
    'one',
  ])
  await run('delete from balances')
})

test('market totals: the newest, with changes since those of the same source a day to 26 hours before', async () => {
  const total = (time: Date, source: string, cap: number, change: number | null = null) =>
    run(
      `insert into market_totals (at, market_cap_usd, volume_24h_usd, btc_dominance, market_cap_change, volume_change,
         btc_dominance_change, source, fetched_at) values ($1, $3, $3, $3, $4, $4, $4, $2, $1)`,
      [time, source, cap, change],
    )
  const changes = async () => {
    const totals = await readMarketTotals(reader.db)
    const { market_cap_change: cap, volume_change: volume, btc_dominance_change: dominance } = totals!
    return [cap, volume, dominance].map((text) => (text === null ? null : Number(text)))
  }
  expect(await readMarketTotals(reader.db)).toBeNull()
  await total(at('09T12:00:00'), 'a', 60, 7)
  await total(at('08T12:00:01'), 'a', 10)
  await total(at('08T11:00:00'), 'b', 20)
  await total(at('08T10:00:00'), 'a', 30)
  expect(await changes()).toEqual([7, 7, 7])
  await total(at('08T10:00:01'), 'a', 40)
  expect(await changes()).toEqual([50, 50, 20])
  await total(at('08T12:00:00'), 'a', 50)
  expect(await changes()).toEqual([20, 20, 10])
  await total(at('09T13:00:00'), 'b', 70)
  expect(await readNewestTotals(db, { sources: ['a'] })).toMatchObject({ at: at('09T12:00:00'), source: 'a' })
  expect(await readNewestTotals(db, { sources: ['a', 'b'] })).toMatchObject({ source: 'b' })
  expect(await readNewestTotals(db, { sources: ['c'] })).toBeNull()
})

const TABLES = {
  coins: 'id',
  coin_quotes: `coin_id || ' quote'`,
  price_hours: `coin_id || ' hour'`,
  price_days: `coin_id || ' day'`,
  price_histories: `concat_ws(' ', coin_id, 'history by', resolution)`,
}
const changed = async (work: () => Promise<unknown>) =>
  [...new Set(await changedRows(database, TABLES, work))].sort()

test('a full list of a source: marks its coins, and delists those that were missing twice', async () => {
  const list = (listedIds: string[], time: Date) => () =>
    transact(pool, (transaction) =>
      markListed(transaction, {
        source: 'coingecko',
        knownIds: ['one', 'two', 'other', 'gone'],
        listedIds,
        at: time,
      }),
    )
  expect(await changed(list(['one', 'two', 'other', 'gone'], NOW))).toEqual(['gone', 'one', 'two'])
  expect(await changed(list(['one', 'gone'], at('11T00:00:00')))).toEqual(['gone', 'one'])
  // Missing for the second time. `bare` is not known there, and `other` is of another source.
  expect(await changed(list(['one', 'gone'], at('12T00:00:00')))).toEqual(['gone', 'one', 'two', 'two quote'])
  expect(await run(`select id from coins where delisted_at is not null`)).toEqual([{ id: 'two' }])
  // The same list once more.
  expect(await changed(list(['one', 'gone'], at('12T00:00:00')))).toEqual([])
})

test('quotes become the hour of coins whose hours reach the one before', async () => {
  const hour = at('10T12:00:00')
  await run('delete from price_histories')
  const history = (id: string, resolution: string, to: Date) =>
    run('insert into price_histories (coin_id, resolution, from_at, to_at) values ($1, $2, $3, $3)', [
      id,
      resolution,
      to,
    ])
  const quote = (id: string, time: Date, stale = false) =>
    run('update coin_quotes set at = $2, stale = $3 where coin_id = $1', [id, time, stale])
  const append = (time = hour) =>
    changed(() => transact(pool, (trx) => appendQuotedHour(trx, { at: time, fetchedAt: NOW })))
  await history('one', 'hour', at('10T11:00:00'))
  await history('two', 'hour', at('10T10:59:59'))
  await history('other', 'hour', hour)
  await history('bare', 'day', at('10T11:00:00'))
  for (const id of ['one', 'two', 'other', 'bare', 'gone']) await quote(id, hour)
  await quote('one', hour, true)
  expect(await append()).toEqual([])
  for (const [time, isUsed] of [
    [at('10T11:00:00'), false],
    [at('10T12:05:01'), false],
    [at('10T12:05:00'), true],
  ] as const) {
    await quote('one', time)
    expect(await append()).toEqual(isUsed ? ['one history by hour', 'one hour'] : [])
  }
  await quote('one', at('10T12:00:01'))
  expect(await append(at('10T13:00:00'))).toEqual(['one history by hour', 'one hour'])
})

test('hours become the day of coins whose days reach the one before', async () => {
  const midnight = at('11T00:00:00')
  await run('delete from price_histories')
  for (const id of ['one', 'two', 'other', 'bare'])
    await run('insert into price_hours (coin_id, at, usd, source, fetched_at) values ($1, $2, 1, $3, $2)', [
      id,
      midnight,
      'test',
    ])
  for (const [id, resolution, to] of [
    ['one', 'day', at('10T00:00:00')],
    ['two', 'day', at('09T23:59:59')],
    ['other', 'day', midnight],
    ['bare', 'hour', at('10T00:00:00')],
  ] as const)
    await run('insert into price_histories (coin_id, resolution, from_at, to_at) values ($1, $2, $3, $3)', [
      id,
      resolution,
      to,
    ])
  expect(
    await changed(() => transact(pool, (trx) => appendDay(trx, { at: midnight, fetchedAt: NOW }))),
  ).toEqual(['one day', 'one history by day', 'one quote'])
})

test('a stored price replaces the quote of its coin once it is an hour newer, and histories only widen', async () => {
  await run('delete from price_histories')
  await run(`update coin_quotes set at = $1, price_usd = 5`, [at('12T00:00:00')])
  const store = (time: Date, usd: string, floor: { reason: string; plan: string } | null = null) =>
    changed(() =>
      transact(pool, (trx) =>
        storePrices(trx, {
          resolution: 'hour',
          points: [
            { coinId: 'one', at: time, usd, source: 'test' },
            { coinId: 'one', at: at('11T23:00:00'), usd: '4', source: 'test' },
          ],
          histories: [{ coinId: 'one', from: time, to: time, floor }],
          fetchedAt: NOW,
        }),
      ),
    )
  const history = async () => (await run<any>('select from_at, to_at, floor_plan from price_histories'))[0]
  expect(await store(at('12T00:59:59'), '6')).toEqual(['one history by hour', 'one hour'])
  expect(await store(at('12T01:00:00'), '7')).toEqual(['one history by hour', 'one hour', 'one quote'])
  expect(await history()).toEqual({ from_at: at('12T00:59:59'), to_at: at('12T01:00:00'), floor_plan: null })
  await store(at('12T00:59:59'), '6', { reason: 'plan', plan: 'basic' })
  expect(await history()).toMatchObject({ floor_plan: 'basic' })
  // Nothing about what is before: the floor stays.
  await store(at('12T00:59:59'), '6')
  expect(await history()).toMatchObject({ floor_plan: 'basic' })
  await store(at('12T00:00:00'), '6')
  expect(await history()).toEqual({ from_at: at('12T00:00:00'), to_at: at('12T01:00:00'), floor_plan: null })
})
