import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Account {
  uid: number
  gid: number
}

/**
 * Returns the account that Postgres runs as. null: the current user. Postgres refuses to run as root, so for
 * root it is the system user `postgres`, which is created if it is missing.
 */
export async function postgresAccount(): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null
  const found = await lookUp()
  if (found) return found
  await run('groupadd', ['--force', 'postgres'])
  await run('useradd', ['--gid', 'postgres', '--no-create-home', 'postgres'])
  const made = await lookUp()
  if (!made)
    throw new Error(
      'Postgres does not run as root, and the user "postgres" could not be created: create it, or start as another user',
    )
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
