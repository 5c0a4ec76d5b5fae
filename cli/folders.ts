import { homedir } from 'node:os'
import { join } from 'node:path'

/** The folder of the project. */
export const ROOT = join(import.meta.dirname, '..')

/** Data, logs and secrets of this installation. */
export function homeFolder(): string {
  return process.env.SLUICE_HOME || join(ROOT, '.sluice')
}

/** Downloaded and built programs, shared by all checkouts of one user. */
export function cacheFolder(): string {
  return process.env.SLUICE_CACHE || join(homedir(), '.cache', 'sluice')
}
