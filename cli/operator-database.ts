import type pg from 'pg'
import { type Connection, openDb } from '../db/connect.ts'
import type { Db } from '../db/schema.ts'
import { readSettings } from '../ops/settings/read-settings.ts'
import { CommandError } from './command.ts'
import { notSetUp } from './not-set-up.ts'
import { reasonOf } from './explain-error.ts'
import { homeFolder } from './folders.ts'
import { readSecrets } from './secrets.ts'
import { serviceEnvironment } from './service-environment.ts'
import { readRun } from './supervisor/run-file.ts'

/** A statement may take long, but a server that sends nothing at all is given up. */
const SILENCE = { patienceMs: 10_000, deadlineMs: 5_000 }

/**
 * Runs `work` as the owner of the database: that in DATABASE_URL, else the embedded one of the running
 * installation. `answerDeadlineMs`: time limit of a statement; absent: no limit.
 */
export async function withOperatorDatabase<T>(
  work: (db: Db, pool: pg.Pool) => Promise<T>,
  { answerDeadlineMs }: { answerDeadlineMs?: number } = {},
): Promise<T> {
  const url = await operatorDatabaseUrl()
  const connection: Connection<Db> = openDb({
    url,
    maxConnections: 1,
    applicationName: 'sluice-cli',
    silence: SILENCE,
    ...(answerDeadlineMs !== undefined && { answerDeadlineMs }),
  })
  try {
    await requireAnswer(connection.pool, url)
    return await work(connection.db, connection.pool)
  } finally {
    await connection.close()
  }
}

export async function operatorDatabaseUrl(): Promise<string> {
  const { DATABASE_URL } = readSettings(process.env, { optional: ['DATABASE_URL'] })
  if (DATABASE_URL !== undefined) return DATABASE_URL
  const run = readRun(homeFolder())
  const secrets = readSecrets(homeFolder())
  const url = run && secrets && serviceEnvironment({ run, secrets }).DATABASE_URL
  if (!url) throw await notSetUp('no database: run "npm start" in another terminal, or set DATABASE_URL')
  return url
}

/** Throws a CommandError when the database does not answer. */
export async function requireAnswer(pool: pg.Pool, url: string): Promise<void> {
  await pool.query('select 1').catch((error: unknown) => {
    throw new CommandError(
      `the database does not answer at ${new URL(url).host || 'its socket'}: ${reasonOf(error)}.\n` +
        'Start it, or correct DATABASE_URL; run "sluice doctor" for details.',
    )
  })
}
