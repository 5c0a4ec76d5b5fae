import { readdir } from 'node:fs/promises'
import type pg from 'pg'
import { readRun } from '../../../cli/supervisor/run-file.ts'
import { memoryMbOf } from '../shared/memory.ts'
import { descendants, readProcesses } from '../shared/processes.ts'

/** Resources of one process of the installation, including its children. */
export interface ProcessReading {
  /** Proportional set size: shared memory counts once. */
  memoryMb: number
  files: number
}

export interface Reading {
  /** Hours since the first reading. */
  hours: number
  processes: Record<string, ProcessReading>
  tables: { mb: number; rows: number; deadRows: number }
}

/** Reads all running processes of the installation. One that ends meanwhile is left out. */
export async function readParts(home: string): Promise<Record<string, ProcessReading>> {
  const run = readRun(home)
  if (!run) throw new Error('the installation is not running')
  const all = readProcesses()
  const readings: Record<string, ProcessReading> = {}
  for (const [name, { pid }] of Object.entries({ ...run.children, supervisor: run.supervisor })) {
    // The supervisor is the parent of all parts, so its children are not added.
    const pids = name === 'supervisor' ? [pid] : descendants(pid, all)
    const each = await Promise.all(pids.map((one) => readProcess(one).catch(() => null)))
    const found = each.filter((one) => one !== null)
    if (found.length === 0) continue
    readings[name] = {
      memoryMb: sum(found.map(({ memoryMb }) => memoryMb)),
      files: sum(found.map(({ files }) => files)),
    }
  }
  return readings
}

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0)

async function readProcess(pid: number): Promise<ProcessReading> {
  const [memoryMb, files] = await Promise.all([memoryMbOf(pid), readdir(`/proc/${pid}/fd`)])
  return { memoryMb, files: files.length }
}

export async function readTables(owner: pg.Pool): Promise<Reading['tables']> {
  const { rows } = await owner.query<Reading['tables']>(
    `select (sum(pg_total_relation_size(relid)) / 2 ^ 20)::float8 as mb, sum(n_live_tup)::float8 as rows,
       sum(n_dead_tup)::float8 as "deadRows"
     from pg_stat_user_tables`,
  )
  return rows[0]!
}

/** The tables with the most dead rows. */
export async function worstTables(owner: pg.Pool): Promise<{ name: string; dead: number; live: number }[]> {
  const { rows } = await owner.query<{ name: string; dead: number; live: number }>(
    `select relname as name, n_dead_tup::int as dead, n_live_tup::int as live from pg_stat_user_tables
     order by n_dead_tup desc limit 5`,
  )
  return rows
}

/** Change per hour, by least squares. */
export function slope(points: readonly (readonly [hours: number, value: number])[]): number {
  const mean = (values: readonly number[]) => sum(values) / values.length
  const [x, y] = [mean(points.map(([hours]) => hours)), mean(points.map(([, value]) => value))]
  const over = sum(points.map(([hours, value]) => (hours - x) * (value - y)))
  return over / sum(points.map(([hours]) => (hours - x) ** 2))
}
