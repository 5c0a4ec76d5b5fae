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
export async function report(
  { clock, world, worker, pool, held }: AreasDay,
  counts: TableCount[],
): Promise<void> {
  const { temporal } = worker
  const states = await readAnswers(pool)
  const age = (at: Date | null | undefined) =>
    at ? `${Math.round((clock.now() - at.getTime()) / 60_000)} min` : 'never'
  console.table(counts.filter(({ rows }) => rows > 0))
  console.table(
    AREAS.filter(({ sources }) => sources.length > 0).map(({ name, freshnessTargetSeconds = 0 }) => ({
      area: name,
      'newest answer': age(newestOf(name, states)),
      target: `${freshnessTargetSeconds / 60} min`,
    })),
  )
  console.table(
    Object.entries(world.doubles).map(([source, { asked, refused }]) => ({
      source,
      requests: asked.length,
      refused: JSON.stringify(tally(refused.map(String))),
      'last success': age(states.find((one) => one.source === source)?.at),
      'last failure': states.find((one) => one.source === source)?.failure ?? '',
    })),
  )
  const { rows: follows } = await pool.query(
    'select network_id, mode, method, node, tick_ms, cursor_block, head_block, reason from network_follows order by 1',
  )
  console.table(follows)
  console.log(world.nodes.refused().join('\n'))
  console.log('runs', JSON.stringify(Object.fromEntries(temporal.runs)))
  console.log(
    'failed',
    temporal.failures.length,
    JSON.stringify(tally(temporal.failures.map(textOf)), null, 1),
  )
  console.log('waits within transactions', JSON.stringify(tally(held), null, 1))
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

/** Areas whose newest answer is older than their target. Those that no own source has answered are not among them. */
export function staleAreas({ states, nowMs }: { states: readonly SourceAnswer[]; nowMs: number }): string[] {
  return AREAS.flatMap(({ name, freshnessTargetSeconds = Infinity }) => {
    const at = newestOf(name, states)
    const ageS = at ? (nowMs - at.getTime()) / 1_000 : 0
    return ageS > freshnessTargetSeconds ? [`${name} ${Math.round(ageS / 60)} min`] : []
  })
}

interface SourceAnswer {
  source: string
  /** null: never */
  at: Date | null
  failure: string | null
}

export async function readAnswers(pool: pg.Pool): Promise<SourceAnswer[]> {
  const { rows } = await pool.query<SourceAnswer>(
    'select source, last_success_at as at, last_failure as failure from source_states order by 1',
  )
  return rows
}

function newestOf(area: string, states: readonly SourceAnswer[]): Date | null {
  const names = new Set(AREAS.find(({ name }) => name === area)!.sources.map(({ name }) => name))
  const own = states.flatMap(({ source, at }) => (names.has(source) && at ? [at] : []))
  return own.toSorted((a, b) => b.getTime() - a.getTime())[0] ?? null
}
