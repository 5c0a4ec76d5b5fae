import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Files that earlier versions, or an operator's editor, made readable for everybody. */
const ONCE_READABLE = /^(logs|chains|export|run\.json|settings\.env|sources|temporal\.sqlite(-wal|-shm)?)$/
/** Errors for a file of another user, or on a read-only disk. */
const NOT_OURS = ['EPERM', 'EROFS']

/**
 * Creates the home and makes what this process and its children write readable for its user only, wherever
 * they write it. A non-empty folder that is not a home of ours keeps its permissions.
 */
export function openPrivateHome(home: string): void {
  mkdirSync(home, { recursive: true })
  process.umask(0o077)
  if (readdirSync(home).length > 0 && !existsSync(join(home, 'secrets.json'))) return
  // For root, Postgres runs as another account, whose data folder is in the home. If the account could not
  // enter the home until now, its data is elsewhere. Opening the home would make Postgres look for it here.
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
