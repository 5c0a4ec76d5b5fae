import { homedir } from 'node:os'
import { join } from 'node:path'

/** The folder of the project. */
export const ROOT = join(import.meta.dirname, '..')

/** Whether this is the package that "npm pack" makes, whose files are JavaScript, and not a clone. */
export const PACKED = import.meta.filename.endsWith('.js')

/** The file of a program of ours, named by its source: `api/main.ts`. */
export function programOf(source: string): string {
  return join(ROOT, PACKED ? source.replace(/\.ts$/, '.js') : source)
}

/** Data, logs and secrets of this installation. */
export function homeFolder(): string {
  return process.env.SLUICE_HOME || join(PACKED ? homedir() : ROOT, '.sluice')
}

/** Downloaded and built programs, shared by all checkouts of one user. */
export function cacheFolder(): string {
  return process.env.SLUICE_CACHE || join(homedir(), '.cache', 'sluice')
}
