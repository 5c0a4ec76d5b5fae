import { beforeEach, expect, test } from 'vitest'
import { refreshFiats } from '../../activities/prices/refresh-fiats.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { startPriceWorld } from './price-world.ts'

const database = await testDatabase()
const { deps, sources, faults } = await startPriceWorld(database)
const rows = <T extends object>(sql: string) => query<T & Record<string, unknown>>(database.ownerUrl, sql)
const fail = (source: string) => faults.add({ source, kind: 'error', count: 3 })

beforeEach(async () => {
  faults.clear()
  await rows(`truncate fx_rates; truncate quarantine; update source_states set next_request_at = '-infinity'`)
})

test('reads three years of daily rates; a second refresh changes nothing', async () => {
  expect(await refreshFiats(deps, sources)).toBeGreaterThan(20_000)
  expect(await refreshFiats(deps, sources)).toBe(0)
  const [ended] = await rows(`select max(at)::date::text as at from fx_rates where currency = 'BGN'`)
  expect(ended).toEqual({ at: '2025-12-31' })
})

test('a rate begins at a UTC midnight, so that a stored day has one', async () => {
  const insert = (at: string) =>
    rows(
      `insert into fx_rates (currency, at, per_usd, source, fetched_at) values ('EUR', '${at}', 0.9, 'test', now())`,
    )
  await insert('2026-03-01T00:00Z')
  await expect(insert('2026-03-02T09:00Z')).rejects.toThrow(/fx_rates_at_check/)
})

test('reads the same rates from the central bank when Frankfurter fails', async () => {
  await refreshFiats(deps, sources)
  const frankfurter = await rows<{ currency: string; at: Date; per_usd: string }>(
    'select currency, at, per_usd from fx_rates order by 1, 2',
  )
  await rows('truncate fx_rates')
  fail('frankfurter')
  expect(await refreshFiats(deps, sources)).toBeGreaterThan(20_000)
  const ecb = await rows<{ currency: string; at: Date; per_usd: string }>(
    'select currency, at, per_usd from fx_rates order by 1, 2',
  )
  const key = ({ currency, at }: { currency: string; at: Date }) => `${currency} ${at.toISOString()}`
  expect(ecb.map(key)).toEqual(frankfurter.map(key))
  const apart = ecb.map((row, i) => Math.abs(Number(row.per_usd) / Number(frankfurter[i]!.per_usd) - 1))
  expect(Math.max(...apart)).toBeLessThan(1e-4)
  expect(await rows('select distinct source from fx_rates')).toEqual([{ source: 'ecb' }])
})

test('reads ninety days from the XML file when both fail, and fails when all three fail', async () => {
  fail('frankfurter')
  fail('ecb')
  expect(await refreshFiats(deps, sources)).toBeGreaterThan(1_500)
  expect(await rows('select distinct source from fx_rates')).toEqual([{ source: 'eurofxref' }])
  await rows(`update source_states set next_request_at = '-infinity', consecutive_failures = 0`)
  for (const source of ['frankfurter', 'ecb', 'eurofxref']) fail(source)
  await expect(refreshFiats(deps, sources)).rejects.toThrow(/frankfurter: status 500/)
})

test('asks for three years at first, later from a week before the newest rate of the source, and afresh for all', async () => {
  await rows(
    `insert into fx_rates (currency, at, per_usd, source, fetched_at) values ('GBP', '2026-06-09', 0.8, 'ecb', now())`,
  )
  const asked: string[] = []
  const frankfurter = {
    async rates({ from, to }: { from: string; to: string }) {
      asked.push(`${from} to ${to}`)
      return {
        rates: [{ currency: 'EUR', at: new Date('2026-06-08T00:00:00Z'), perUsd: '0.9' }],
        quarantined: [],
      }
    },
  }
  const at = { ...deps, now: () => new Date('2026-06-10T12:00:00Z') }
  for (const input of [undefined, undefined, { afresh: true }])
    await refreshFiats(at, { ...sources, frankfurter }, input)
  expect(asked).toEqual(['2023-06-11 to 2026-06-10', '2026-06-01 to 2026-06-10', '2023-06-11 to 2026-06-10'])
})

test('fails with a reason when all sources are off', async () => {
  const none = { ...sources, frankfurter: null, ecb: null, eurofxref: null }
  await expect(refreshFiats(deps, none)).rejects.toMatchObject({ name: 'SourceRejected' })
})
