import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '../write-whole.ts'
import type { ProcessMark } from './process-mark.ts'

/** The processes of one SLUICE_HOME, stored in run.json while they run. */
export interface Run {
  supervisor: ProcessMark
  children: Record<string, ProcessMark>
  /** Port by service. */
  ports: Record<string, number>
  temporalAddress: string
  sources: 'sandbox' | 'live'
  /**
   * The settings that it was started with, keys of sources included, so that commands from another shell see them;
   * absent: an older release started it.
   */
  settings?: Record<string, string>
  /** Id that its HTTP services send in health answers; absent: not checked. */
  installation?: string
}

const fileOf = (home: string) => join(home, 'run.json')

/** Reads the run that is active or did not end cleanly; null: there is none. */
export function readRun(home: string): Run | null {
  try {
    return JSON.parse(readFileSync(fileOf(home), 'utf8')) as Run
  } catch {
    return null
  }
}

/** Replaces the file atomically: a reader sees the old or the new state. */
export function writeRun(home: string, run: Run): void {
  writeWhole(fileOf(home), textOf(run), { mode: 0o600 })
}

/**
 * Writes the first state of a run. false: the home has a run already, as after two starts at the same moment.
 */
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
