import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createHttpClient } from '../../activities/http.ts'
import { toDollarRates } from '../../activities/prices/euro-rates.ts'
import { createEcb } from '../../activities/prices/sources/ecb.ts'
import { createEurofxref } from '../../activities/prices/sources/eurofxref.ts'
import { realdata } from '../setup/realdata.ts'

const OPEN_GATE = { admit: async () => {}, succeeded: async () => {}, failed: async () => {} }

describe.skipIf(realdata === null)('recorded reference rates of the ECB read by the adapters', async () => {
  if (realdata === null) return
  const folder = realdata
  /** Extracts the answer of a cassette: the block below `string: |` without its indentation. */
  const cassette = async (name: string) => {
    const text = await readFile(join(folder, 'frankfurter/spec/vcr_cassettes', name), 'utf8')
    const block = /^( *)string: \|\n((?:\1 .*\n|\n)+)/m.exec(text)!
    return block[2]!.replaceAll(new RegExp(`^${block[1]!} {2}`, 'gm'), '')
  }
  const xml = (name: string) => readFile(join(folder, 'ecb-rates/spec', name), 'utf8')
  const answers: Record<string, string> = {
    '/historical': await cassette('ecb_historical.yml'),
    '/recent': await cassette('ecb_recent.yml'),
    '/90': await xml('exchange_rates_90_day.xml'),
    '/daily': await xml('exchange_rates.xml'),
    '/odd': await xml('odd_exchange_rates.xml'),
    '/illegal': await xml('illegal_exchange_rates.xml'),
  }
  const server = createServer((request, response) => {
    response.end(answers[`/${request.url!.split('/')[1]!}`])
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const sources = { ecb: { url: origin }, eurofxref: { url: origin } }
  const http = createHttpClient({ gate: OPEN_GATE, sources, random: () => 0 })
  afterAll(async () => {
    await http.close()
    server.closeAllConnections()
    server.close()
  })
  const csv = (name: string) =>
    createEcb({ http, url: `${origin}/${name}` }).rates({ from: '2025-01-01', to: '2026-03-18' })
  const file = (name: string) => createEurofxref({ http, url: `${origin}/${name}` }).rates()
  const date = (at: Date) => at.toISOString().slice(0, 10)

  test('reads a year of CSV, one rate per line, in which one currency ends', async () => {
    const { rows, quarantined } = await csv('historical')
    const lines = answers['/historical']!.trim().split('\n').length - 1
    expect(rows.length + quarantined.length).toBe(lines)
    // The recording ends in the middle of its last line.
    expect(quarantined.length).toBeLessThanOrEqual(1)
    const byCurrency = Map.groupBy(rows, ({ currency }) => currency)
    const whole = [...byCurrency.values()].filter((list) => list.length === 309)
    expect(whole).toHaveLength(25)
    const bgn = byCurrency.get('BGN')!.map(({ at }) => date(at))
    expect(bgn.at(-1)! < '2026-01-01').toBe(true)
    expect(byCurrency.get('AUD')![0]).toEqual({
      currency: 'AUD',
      at: new Date('2025-01-02'),
      perEur: '1.6618',
    })
    // It has no dollar rates, so nothing is converted.
    const { rates, quarantined: unconverted } = toDollarRates({ rows, quarantined: [] })
    expect([rates.length, unconverted.length]).toEqual([0, rows.length])
  })

  test('reads a month of CSV', async () => {
    const { rows, quarantined } = await csv('recent')
    expect(rows.length + quarantined.length).toBe(answers['/recent']!.trim().split('\n').length - 1)
    expect(rows.filter(({ currency }) => currency === 'AUD')).toHaveLength(22)
  })

  test('reads every rate of ninety days of XML and converts it to the dollar', async () => {
    const { rows, quarantined } = await file('90')
    const cubes = answers['/90']!.match(/<Cube currency=/g)!.length
    expect([rows.length, quarantined.length]).toEqual([cubes, 0])
    const days = new Set(rows.map(({ at }) => date(at)))
    expect(days.size).toBe(61)
    const { rates, quarantined: unconverted } = toDollarRates({ rows, quarantined: [] })
    expect([rates.length, unconverted.length]).toEqual([cubes, 0])
    const day = (await file('daily')).rows
    expect(day).toHaveLength(answers['/daily']!.match(/<Cube currency=/g)!.length)
    const dollars = toDollarRates({ rows: day, quarantined: [] }).rates
    const of = (currency: string) => dollars.find((rate) => rate.currency === currency)!
    expect(of('EUR')).toEqual({ currency: 'EUR', at: new Date('2018-06-11'), perUsd: '0.848176420695505' })
    expect(Number(of('JPY').perUsd)).toBeCloseTo(129.62 / 1.179, 12)
    expect(dollars.some(({ currency }) => currency === 'USD')).toBe(false)
  })

  test('throws for a file without rates', async () => {
    expect((await file('odd')).rows).toHaveLength(34)
    await expect(file('illegal')).rejects.toThrow(/no rates in its file/)
  })
})
