import type pg from 'pg'
import { openDb } from '../../db/connect.ts'
import { createSchemaCheck } from '../../db/check-schema.ts'
import { refuseNewerSchema } from '../../db/refuse-newer-schema.ts'
import { ROLES } from '../../db/migrate.ts'
import { attempt, fail, type Finding, ok, warn } from './finding.ts'

const OLDEST_POSTGRES = 18
/** Largest difference between the clock of this machine and that of the database. */
const MOST_SKEW_MS = 2_000
/** Connections in the pools of one API, gateway, worker and console together. */
const CONNECTIONS = 60

type Environment = Record<string, string | undefined>

/** Checks Postgres: reachability, version, settings, schema, the login of each role, and the clock. */
export async function checkDatabase(env: Environment): Promise<Finding[]> {
  const url = env['DATABASE_URL']
  if (!url) return [fail('database', 'no address', 'run "npm start", or set DATABASE_URL')]
  const own = await withPool(url, async (pool) => {
    const found = await attempt(
      'database',
      () => server(pool),
      `is Postgres up at ${hostOf(url)}? docker compose ps, or "npm start"`,
    )
    if (found.some(({ state }) => state === 'fail')) return found
    return [
      ...found,
      ...(await attempt('schema', () => schema(pool), 'run "sluice migrate"')),
      ...(await attempt('database settings', () => settings(pool), 'see postgresql.conf')),
      ...(await attempt('clock', () => clock(pool), 'synchronise the clocks of both machines with NTP')),
    ]
  })
  return own[0]?.state === 'fail' ? own : [...own, ...(await roles(env))]
}

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : 'DATABASE_URL')

async function withPool<T>(url: string, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const { pool, close } = openDb({
    url,
    maxConnections: 1,
    applicationName: 'sluice-doctor',
    answerDeadlineMs: 5_000,
  })
  try {
    return await work(pool)
  } finally {
    await close()
  }
}

async function setting(pool: pg.Pool, name: string): Promise<string> {
  const { rows } = await pool.query<{ value: string }>('select current_setting($1) as value', [name])
  return rows[0]!.value
}

async function server(pool: pg.Pool): Promise<Finding> {
  const version = await setting(pool, 'server_version')
  if (Number.parseInt(version) >= OLDEST_POSTGRES) return ok('database', `Postgres ${version}`)
  return fail('database', `Postgres ${version}`, `use Postgres ${OLDEST_POSTGRES} or newer`)
}

async function schema(pool: pg.Pool): Promise<Finding> {
  await createSchemaCheck(pool)()
  await refuseNewerSchema(pool)
  const { rows } = await pool.query<{ name: string }>('select max(name) as name from kysely_migration')
  return ok('schema', rows[0]!.name)
}

async function settings(pool: pg.Pool): Promise<Finding[]> {
  const [commit, most, sync] = [
    await setting(pool, 'synchronous_commit'),
    Number(await setting(pool, 'max_connections')),
    await setting(pool, 'fsync'),
  ]
  return [
    commit === 'off' || sync === 'off'
      ? fail(
          'database settings',
          `synchronous_commit ${commit}, fsync ${sync}`,
          'set both to on: after a crash, calls that were answered would not be charged',
        )
      : ok('database settings', `synchronous_commit ${commit}, fsync ${sync}`),
    most < CONNECTIONS
      ? warn(
          'connections',
          `max_connections ${most}`,
          `raise it to ${CONNECTIONS} for one process of each kind`,
        )
      : ok('connections', `max_connections ${most}`),
  ]
}

async function clock(pool: pg.Pool): Promise<Finding> {
  const beforeMs = Date.now()
  const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now')
  const middleMs = (beforeMs + Date.now()) / 2
  const skewMs = Math.round(rows[0]!.now.getTime() - middleMs)
  const detail = `the database is ${Math.abs(skewMs)} ms ${skewMs < 0 ? 'behind' : 'ahead'}`
  return Math.abs(skewMs) <= MOST_SKEW_MS
    ? ok('clock', detail)
    : fail('clock', detail, 'synchronise the clocks of both machines with NTP')
}

/** Logs in as each role that has its own address. */
async function roles(env: Environment): Promise<Finding[]> {
  const named = ROLES.map((role) => ({ role, url: env[`${role.toUpperCase()}_DATABASE_URL`] }))
  const findings = await Promise.all(
    named.map(({ role, url }): Promise<Finding[]> => {
      const variable = `${role.toUpperCase()}_DATABASE_URL`
      if (!url)
        return Promise.resolve([
          warn(`role ${role}`, `${variable} is not set`, 'set it: its process does not start without it'),
        ])
      const logIn = () =>
        withPool(url, async (pool) => {
          const { rows } = await pool.query<{ name: string }>('select current_user as name')
          return ok(`role ${role}`, `logs in as ${rows[0]!.name}`)
        })
      return attempt(
        `role ${role}`,
        logIn,
        `run "sluice migrate" with ${variable}: it sets the password of the role`,
      )
    }),
  )
  return findings.flat()
}
