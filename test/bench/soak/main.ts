import { setTimeout as sleep } from 'node:timers/promises'
import { operatorEnvironment } from '../../../cli/operator-environment.ts'
import { openDb } from '../../../db/connect.ts'
import { startSluice } from '../../start/running.ts'
import { readArguments } from '../shared/arguments.ts'
import { createCleanup } from '../shared/cleanup.ts'
import { machineLine } from '../shared/machine.ts'
import { readParts, type Reading, readTables, slope, worstTables } from './readings.ts'
import { work } from './work.ts'

// Runs an installation of `npm start` under mixed load and measures growth.
const args = readArguments({ minutes: 60, rate: 20, every: 20 })
const log = (line: string) => console.log(`bench:soak ${line}`)
const cleanup = createCleanup()
/** Share of the time for warm-up (caches, pools, compiler). The slope is measured after it. */
const WARM_UP = 1 / 3

try {
  log('starting the installation')
  const sluice = await startSluice()
  cleanup.add(sluice.stop)
  process.env['SLUICE_HOME'] = sluice.home
  const url = operatorEnvironment()['DATABASE_URL']!
  const { pool, close } = openDb({ url, maxConnections: 1, applicationName: 'bench' })
  cleanup.add(close)
  await pool.query(
    `update accounts set plan = 'enterprise', credits_per_month = 1e12, requests_per_second = 1000`,
  )
  await pool.query(`update credit_periods set granted = 1e12 where is_open`)

  const readings: Reading[] = []
  const ending = new AbortController()
  log(`${args.minutes} minutes of mixed load, ${args.rate} reads a second`)
  const working = work(sluice, { getsPerSecond: args.rate, signal: ending.signal })
  // If the work fails early, the readings stop as well.
  working.catch(() => ending.abort())
  const startMs = performance.now()
  while (!ending.signal.aborted && performance.now() - startMs < args.minutes * 60_000) {
    const hours = (performance.now() - startMs) / 3_600_000
    readings.push({ hours, processes: await readParts(sluice.home), tables: await readTables(pool) })
    if (readings.length % 15 === 0) log(`${Math.round(hours * 60)} minutes: ${totals(readings.at(-1)!)}`)
    await sleep(args.every * 1_000, undefined, { signal: ending.signal }).catch(() => {})
  }
  ending.abort()
  const tally = await working
  const worst = await worstTables(pool)
  print(readings, tally, worst)
} finally {
  await cleanup.run()
}

function totals({ processes, tables }: Reading): string {
  const all = Object.values(processes)
  const memory = all.reduce((mb, one) => mb + one.memoryMb, 0)
  return `${memory.toFixed(0)} MB, ${all.reduce((n, one) => n + one.files, 0)} files, tables ${tables.mb.toFixed(0)} MB`
}

function print(
  readings: readonly Reading[],
  { ended, gets }: Awaited<ReturnType<typeof work>>,
  worst: Awaited<ReturnType<typeof worstTables>>,
): void {
  const late = readings.slice(Math.floor(readings.length * WARM_UP))
  /** Values after the warm-up and at the end, and the change per hour. */
  const cells = (of: (reading: Reading) => number | undefined, digits: number): string => {
    const points = late.flatMap((one) => {
      const value = of(one)
      return value === undefined ? [] : ([[one.hours, value]] as const)
    })
    return [points[0]![1], points.at(-1)![1], slope(points)].map((value) => value.toFixed(digits)).join(' | ')
  }
  console.log(
    [
      `\nSoak of ${args.minutes} minutes, ${args.rate} reads a second beside syncs, payments and exports; ${machineLine()}`,
      `\nAfter the first third, at the end, and the change in an hour by least squares:\n`,
      '| process | memory, MB | at the end | in an hour | open files | at the end | in an hour |',
      '| --- | --- | --- | --- | --- | --- | --- |',
      ...Object.keys(late.at(-1)!.processes).map(
        (name) =>
          `| ${name} | ${cells(({ processes }) => processes[name]?.memoryMb, 0)} | ${cells(({ processes }) => processes[name]?.files, 0)} |`,
      ),
      '\n| tables | | at the end | in an hour |',
      '| --- | --- | --- | --- |',
      `| size, MB | ${cells(({ tables }) => tables.mb, 1)} |`,
      `| rows, thousands | ${cells(({ tables }) => tables.rows / 1_000, 1)} |`,
      `| dead rows, thousands | ${cells(({ tables }) => tables.deadRows / 1_000, 1)} |`,
      '\n| action | outcomes |',
      '| --- | --- |',
      ...Object.entries(ended).map(
        ([kind, ends]) =>
          `| ${kind} | ${Object.entries(ends)
            .map(([end, n]) => `${end}: ${n.toLocaleString('en')}`)
            .join(', ')} |`,
      ),
      `| p99 of reads, by quarter | ${quarters(gets).join(', ')} ms |`,
      `| most dead rows | ${worst.map(({ name, dead, live }) => `${name} ${dead} beside ${live}`).join(', ')} |`,
      '',
    ].join('\n'),
  )
}

function quarters(gets: readonly { atMs: number; ms: number }[]): number[] {
  const size = Math.ceil(gets.length / 4)
  return [0, 1, 2, 3].map((quarter) => {
    const times = gets.slice(quarter * size, (quarter + 1) * size).map(({ ms }) => ms)
    return Math.round(times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN)
  })
}
