import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '../write-whole.ts'
import type { ProcessMark } from './process-mark.ts'

/** What runs for one SLUICE_HOME, kept in run.json while it runs. */
export interface Run {
  supervisor: ProcessMark
  children: Record<string, ProcessMark>
  /** Port by service. */
  ports: Record<string, number>
  temporalAddress: string
  sources: 'sandbox' | 'live'
  /** What its HTTP services name in their health answers; absent where nobody asks. */
  installation?: string
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
  writeWhole(fileOf(home), textOf(run), { mode: 0o600 })
}

/** Writes the first state of a run; false when the home has one: two starts at the same moment, of which one is later. */
export function claimRun(home: string, run: Run): boolean {
  try {
    writeWhole(fileOf(home), textOf(run), { mode: 0o600, exclusive: true })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

export function removeRun(home: string): void {
  rmSync(fileOf(home), { force: true })
}

const textOf = (run: Run): string => `${JSON.stringify(run, null, 2)}\n`
