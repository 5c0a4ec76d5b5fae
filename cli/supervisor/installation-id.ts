import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '../write-whole.ts'

/**
 * Returns the id of the installation of a home, created at the first start. Not a secret: its services send
 * it.
 */
export function installationId(home: string): string {
  const file = join(home, 'installation')
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const id = randomUUID()
  writeWhole(file, `${id}\n`, { mode: 0o644 })
  return id
}
