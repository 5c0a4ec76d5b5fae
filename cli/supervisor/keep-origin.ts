import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../command.ts'
import type { Run } from './run-file.ts'

/**
 * Keeps a home on the sources of its first start, because invented and real data in one database could not be
 * told apart. Throws if it is started with the other sources.
 */
export function keepOrigin(home: string, sources: Run['sources']): void {
  const origin = originOf(home)
  if (origin !== null && origin !== sources)
    throw new CommandError(
      `${home} was started with SOURCES=${origin}, and its database holds data of these sources: ` +
        `start it with them, or set SLUICE_HOME to another folder for SOURCES=${sources}.`,
    )
  writeFileSync(fileOf(home), `${sources}\n`)
}

const fileOf = (home: string) => join(home, 'sources')

/** The sources of the first start of a home; null: it was never started. */
export const originOf = (home: string): string | null =>
  existsSync(fileOf(home)) ? readFileSync(fileOf(home), 'utf8').trim() : originOfOlder(home)

/** Returns the sources of a home from a version without the file; null: the home is new. */
function originOfOlder(home: string): string | null {
  if (!existsSync(join(home, 'secrets.json'))) return null
  return existsSync(join(home, 'chains')) ? 'sandbox' : 'live'
}
