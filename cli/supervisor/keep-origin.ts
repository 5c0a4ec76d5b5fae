import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../command.ts'
import type { Run } from './run-file.ts'

/**
 * A home has the sources that it was first started with: invented data and real ones in one database could not be told
 * apart again. Throws where it is started with the others.
 */
export function keepOrigin(home: string, sources: Run['sources']): void {
  const file = join(home, 'sources')
  const origin = existsSync(file) ? readFileSync(file, 'utf8').trim() : originOfOlder(home)
  if (origin !== null && origin !== sources)
    throw new CommandError(
      `${home} was started with SOURCES=${origin}, and its database holds data of those: start it with them, ` +
        `or set SLUICE_HOME to another folder for SOURCES=${sources}.`,
    )
  writeFileSync(file, `${sources}\n`)
}

/** Of one that a version without the file has made; null: it is a new one. */
function originOfOlder(home: string): string | null {
  if (!existsSync(join(home, 'secrets.json'))) return null
  return existsSync(join(home, 'chains')) ? 'sandbox' : 'live'
}
