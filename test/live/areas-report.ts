import type pg from 'pg'
import { AREAS } from '../../activities/all-areas.ts'
import type { TestDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import type { AreasDay } from './areas-day.ts'

export interface TableCount {
  area: string
  table: string
  rows: number
}

/** Rows of every table that an area declares. */
export async function countRows({ ownerUrl }: TestDatabase): Promise<TableCount[]> {
  const counts: TableCount[] = []
  for (const { name: area, tables } of AREAS)
    for (const table of tables) {
      const [row] = await query<{ n: number }>(ownerUrl, `select count(*)::int as n from ${table}`)
      counts.push({ area, table, rows: row!.n })
    }
  return counts
}

/** Prints what each area holds, how old it is, and what it asked for. */
export async function report({ clock, world, worker, pool }: AreasDay, counts: TableCount[]): Promise<void> {
  const { temporal } = worker
  const { rows: states } = await pool.query<{
    source: string
    last_success: Date | null
    failure: string | null
  }>('select source, last_success_at as last_success, last_failure as failure from source_states')
  const age = (at: Date | null | undefined) =>
    at ? `${Math.round((clock.now() - at.getTime()) / 60_000)} min` : 'never'
  console.table(counts.filter(({ rows }) => rows > 0))
  console.table(
    AREAS.filter(({ sources }) => sources.length > 0).map(({ name, sources, freshnessTargetSeconds }) => {
      const own = states.filter(({ source }) => sources.some((one) => one.name === source))
      const newest = own.map(({ last_success: at }) => at).toSorted((a, b) => Number(b) - Number(a))[0]
      return { area: name, 'newest answer': age(newest), target: `${(freshnessTargetSeconds ?? 0) / 60} min` }
    }),
  )
  console.table(
    Object.entries(world.doubles).map(([source, { asked, refused }]) => ({
      source,
      requests: asked.length,
      refused: JSON.stringify(tally(refused.map(String))),
      'last success': age(states.find((one) => one.source === source)?.last_success),
      'last failure': states.find((one) => one.source === source)?.failure ?? '',
    })),
  )
  console.log(world.nodes.refused().join('\n'))
  console.log('runs', JSON.stringify(Object.fromEntries(temporal.runs)))
  console.log(
    'failed',
    temporal.failures.length,
    JSON.stringify(tally(temporal.failures.map(textOf)), null, 1),
  )
  console.log('tried again', JSON.stringify(tally(temporal.retried.map(textOf)), null, 1))
  console.log('warnings', JSON.stringify(tally(temporal.warnings.map(textOf)), null, 1))
}

const textOf = ({ name, reason }: { name: string; reason: string }) =>
  `${name}: ${reason.replace(/\d{3,}/g, 'N').slice(0, 300)}`

export function tally(texts: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1
  return counts
}

/** Sources that gave something, but not within the target of their area. */
export async function staleSources({ pool, nowMs }: { pool: pg.Pool; nowMs: number }): Promise<string[]> {
  const { rows } = await pool.query<{ source: string; at: Date }>(
    'select source, last_success_at as at from source_states where last_success_at is not null',
  )
  const targets = new Map(
    AREAS.flatMap(({ sources, freshnessTargetSeconds = Infinity }) =>
      sources.map((one) => [one.name, one.freshnessTargetSeconds ?? freshnessTargetSeconds] as const),
    ),
  )
  return rows.flatMap(({ source, at }) => {
    const target = targets.get(source)
    const ageS = (nowMs - at.getTime()) / 1_000
    return target !== undefined && ageS > target ? [`${source} ${Math.round(ageS / 60)} min`] : []
  })
}
