import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** What earlier versions let everybody read. */
const ONCE_READABLE = /^(logs|chains|export|run\.json|sources|temporal\.sqlite(-wal|-shm)?)$/
/** Somebody else's, or on a disk that cannot be written. */
const NOT_OURS = ['EPERM', 'EROFS']

/**
 * Makes the home, and sees to it that nobody but its user reads what this process and its children write, wherever they
 * write it. A folder that holds other things than a home of ours keeps its rights.
 */
export function openPrivateHome(home: string): void {
  mkdirSync(home, { recursive: true })
  process.umask(0o077)
  if (readdirSync(home).length > 0 && !existsSync(join(home, 'secrets.json'))) return
  // Started by root, Postgres runs under another account, whose folder lies here. Where it could not enter until now, its
  // folder lies elsewhere, and would be looked for here.
  setMode(home, statSync(home).mode & (process.getuid?.() === 0 ? 0o711 : 0o700))
  closeAll(home, (name) => ONCE_READABLE.test(name))
}

function closeAll(folder: string, isMeant: (name: string) => boolean): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (!isMeant(entry.name) || entry.isSymbolicLink()) continue
    setMode(path, entry.isDirectory() ? 0o700 : 0o600)
    if (entry.isDirectory()) closeAll(path, () => true)
  }
}

function setMode(path: string, mode: number): void {
  try {
    chmodSync(path, mode)
  } catch (error) {
    if (!NOT_OURS.includes((error as NodeJS.ErrnoException).code!)) throw error
  }
}
