import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProcessMark } from './process-mark.ts'

/** What runs for one SLUICE_HOME, kept in run.json while it runs. */
export interface Run {
  supervisor: ProcessMark
  children: Record<string, ProcessMark>
  /** Port by service. */
  ports: Record<string, number>
  temporalAddress: string
  sources: 'sandbox' | 'live'
}

const fileOf = (home: string) => join(home, 'run.json')

/** The last run that was not ended cleanly, running or not; null when there is none. */
export function readRun(home: string): Run | null {
  try {
    return JSON.parse(readFileSync(fileOf(home), 'utf8')) as Run
  } catch {
    return null
  }
}

/** Replaces the file at once: a reader sees the old or the new state. */
export function writeRun(home: string, run: Run): void {
  const draft = `${fileOf(home)}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(run, null, 2)}\n`)
  renameSync(draft, fileOf(home))
}

export function removeRun(home: string): void {
  rmSync(fileOf(home), { force: true })
}
