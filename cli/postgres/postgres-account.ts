import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Account {
  uid: number
  gid: number
}

/**
 * The account Postgres runs as: null (the own one) unless this process is root, which Postgres refuses. Then it is
 * the system's `postgres`, which is made when it is missing.
 */
export async function postgresAccount(): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null
  const found = await lookUp()
  if (found) return found
  await run('groupadd', ['--force', 'postgres'])
  await run('useradd', ['--gid', 'postgres', '--no-create-home', 'postgres'])
  const made = await lookUp()
  if (!made) throw new Error('Postgres does not run as root, and no user "postgres" could be made')
  return made
}

async function lookUp(): Promise<Account | null> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', 'postgres']), run('id', ['-g', 'postgres'])])
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  } catch {
    return null
  }
}
