import type pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { testDatabase } from '../setup/database.ts'
import { readAnswers } from './areas-report.ts'
import { runDay } from './day.ts'
import { ACCOUNTS } from './day-nodes.ts'
import { compareRows } from './day-rows.ts'
import type { DayWorld } from './day-world.ts'

/*
 * Each service that wallets on EVM networks and Bitcoin are read from is away for an hour, alone and together with
 * others: followers, syncs of newcomers, and the comparison of quiet balances. In the end each stored transfer and
 * balance is that of the chains.
 */

type Kind = 'refuses' | 'cuts'

/** By hour from the first full one: what is away in it, and how. Vendors of nodes go by the end of their hosts. */
const AWAY: readonly Record<string, Kind>[] = [
  { 'alchemy.com': 'refuses', routescan: 'cuts', esplora: 'refuses' },
  { 'drpc.org': 'cuts', etherscan: 'refuses' },
  { 'drpc.org': 'refuses', 'alchemy.com': 'cuts', blockscout: 'refuses' },
  { esplora: 'cuts', etherscan: 'cuts', blockscout: 'cuts', routescan: 'refuses' },
]
const CAUSE = { refuses: /429/, cuts: /closed|socket|ECONNRESET/ } as const
const CALM_HOURS = 2
const HOURS = 1 + AWAY.length + CALM_HOURS
const HOUR_MS = 3_600_000

const database = await testDatabase()

test('Y19 what wallets are read from is away for an hour, and no row is missing', async () => {
  const causes: { hour: number; source: string; failure: string | null }[] = []

  async function onHour(hour: number, { world, pool }: { world: DayWorld; pool: pg.Pool }) {
    if (hour > 1)
      for (const { source, failure } of await readAnswers(pool))
        causes.push({ hour: hour - 1, source, failure })
    const away = AWAY[hour - 1] ?? {}
    for (const account of Object.keys(ACCOUNTS)) world.nodes.setOutage(account, away[account] ?? null)
    for (const [name, { outage }] of Object.entries(world.doubles)) outage.kind = away[name] ?? null
  }

  const day = await runDay({ database, hours: HOURS, onHour })
  onTestFinished(day.stop)
  const { worker, pool, joined } = day
  console.table(causes)
  const named = causes.flatMap(({ hour, source, failure }) => {
    const kind = AWAY[hour - 1]?.[source]
    return kind && CAUSE[kind].test(failure ?? '') ? `${hour} ${source}` : []
  })
  expect(named).toEqual(
    expect.arrayContaining(['1 esplora', '2 etherscan', '4 blockscout', '4 esplora', '4 etherscan']),
  )
  // What was begun in the last hour of an outage may fail a little later. In the last second the clock stands, and
  // nobody has a turn any more.
  const timeOf = (failure: string) => Date.parse(failure.split(' ')[0]!) % (24 * HOUR_MS)
  const late = worker.failures.filter(
    (failure) => timeOf(failure) >= (AWAY.length + 2) * HOUR_MS && timeOf(failure) < HOURS * HOUR_MS - 1_000,
  )
  expect(late).toEqual([])
  for (const { stored, expected } of await compareRows(day)) {
    expect(stored).toEqual(expected)
    expect(stored.transfers.length).toBeGreaterThan(0)
  }
  expect(joined.length).toBeGreaterThan(10)
  const { rows } = await pool.query('select state, message, count(*)::int from wallet_coverage group by 1, 2')
  expect(rows).toEqual([{ state: 'synced', message: null, count: expect.any(Number) as number }])
})
