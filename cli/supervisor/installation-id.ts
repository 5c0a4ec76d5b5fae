import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '../write-whole.ts'

/** What the installation of a home is told from others by; made when it starts first. No secret: its services tell it. */
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
