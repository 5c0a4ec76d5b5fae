import { afterAll, expect, test } from 'vitest'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import { readNewestCloseAt } from '../../db/insights/read-closes.ts'
import { readDominance, readNewestSampleAt } from '../../db/insights/read-dominance.ts'
import { readFearGreed } from '../../db/insights/read-fear-greed.ts'
import { newestFearGreed, storeFearGreed, storePastTotals } from '../../db/insights/write.ts'
import { transact } from '../../db/transact.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin, insertPrices } from '../setup/factories.ts'

const database = await testDatabase()
const { db, pool, close } = openDb({ url: database.ownerUrl, maxConnections: 2, applicationName: 'test' })
const reader = openReadonlyDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
afterAll(() => Promise.all([close(), reader.close()]))
const at = (text: string) => new Date(`2026-03-${text}Z`)

test('dominance: the newest sample of each step that ends at a multiple before the end', async () => {
  const sample = (time: string, share: number) => ({
    at: at(time),
    marketCapUsd: '1',
    volume24hUsd: '1',
    btcDominance: String(share),
  })
  const totals = [
    sample('10T09:00:00', 1),
    sample('10T09:59:59', 2),
    sample('10T10:00:00', 3),
    sample('10T10:00:01', 4),
    sample('10T12:00:00', 5),
  ]
  expect(await readNewestSampleAt(reader.db)).toBeNull()
  const store = () =>
    transact(pool, (trx) => storePastTotals(trx, { source: 'test', totals, fetchedAt: at('11T00:00:00') }))
  expect(await store()).toBe(5)
  expect(await store()).toBe(0)
  expect(await readNewestSampleAt(reader.db)).toEqual(at('10T12:00:00'))
  const read = async (from: Date | null, to: Date) =>
    (await readDominance(reader.db, { from, to, stepSeconds: 3_600 })).map(({ timeS, btcDominance }) => [
      new Date(timeS * 1_000).toISOString().slice(11, 19),
      Number(btcDominance),
    ])
  const [first, second] = [
    ['09:00:00', 1],
    ['10:00:00', 3],
  ]
  const rest = [
    ['10:00:01', 4],
    ['12:00:00', 5],
  ]
  expect(await read(null, at('10T12:00:00'))).toEqual([first, second, ...rest])
  expect(await read(at('10T09:30:00'), at('10T12:00:00'))).toEqual([second, ...rest])
  expect(await read(at('10T09:00:00'), at('10T11:00:00'))).toEqual([first, second, rest[0]])
  expect(await read(at('10T10:00:01'), at('10T12:00:00'))).toEqual(rest)
})

test('fear and greed: of the publisher with the newest day, the first by name on a tie', async () => {
  const store = (source: string, ...days: readonly (readonly [string, number])[]) =>
    transact(pool, (trx) =>
      storeFearGreed(trx, {
        source,
        days: days.map(([day, value]) => ({ at: at(`${day}T00:00:00`), value })),
        fetchedAt: at('11T00:00:00'),
      }),
    )
  const values = async (lastDays: number | null) =>
    (await readFearGreed(reader.db, { lastDays })).map(({ value }) => value)
  expect(await store('a', ['03', 1], ['02', 2], ['01', 3])).toBe(3)
  expect(await store('b', ['03', 4], ['02', 5])).toBe(2)
  expect(await store('b', ['03', 4], ['02', 6])).toBe(1)
  expect(await values(null)).toEqual([3, 2, 1])
  expect(await values(2)).toEqual([2, 1])
  await store('b', ['04', 7])
  expect(await values(2)).toEqual([4, 7])
  expect(await values(null)).toEqual([6, 4, 7])
  expect(await newestFearGreed(db, 'a')).toEqual(at('03T00:00:00'))
  expect(await newestFearGreed(db, 'c')).toBeNull()
})

test('the newest close is that of the coin', async () => {
  for (const [coinId, day] of [
    ['bitcoin', '02'],
    ['ethereum', '03'],
  ] as const) {
    await insertCoin(db, { id: coinId, at: at('01T00:00:00') })
    await insertPrices(db, {
      coinId,
      resolution: 'day',
      points: [
        [at('01T00:00:00'), '1'],
        [at(`${day}T00:00:00`), '1'],
      ],
    })
  }
  expect(await readNewestCloseAt(reader.db, 'bitcoin')).toEqual(at('02T00:00:00'))
  expect(await readNewestCloseAt(reader.db, 'unknown')).toBeNull()
})
