import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { migrate } from '../../db/migrate.ts'
import { sluiceOn } from '../cli/sluice-on.ts'
import { BARE_ENVIRONMENT } from '../setup/bare-environment.ts'
import { ROLE_PASSWORDS, testDatabase } from '../setup/database.ts'
import { PAY_TO } from '../setup/gateway.ts'
import { query } from '../setup/query.ts'

// This release on a database that a newer release has migrated.

const UNKNOWN = '99990101-0000-of-a-newer-release'
const REFUSAL =
  `The database has migration ${UNKNOWN}, which this release does not know: a newer release has migrated it. ` +
  'Nothing was changed. Start that release or a later one, or restore a backup from before the upgrade: docs/deployment.md#back-up-and-restore.'

const database = await testDatabase()
beforeAll(() =>
  query(database.ownerUrl, `insert into kysely_migration values ('${UNKNOWN}', '2099-01-01T00:00:00.000Z')`),
)

/** What a start writes first: migrations, passwords of the roles, and source settings. */
const touched = () =>
  query(
    database.ownerUrl,
    `select (select array_agg(name order by name) from kysely_migration) as migrations,
       (select array_agg(rolpassword order by rolname) from pg_authid where rolname = 'console') as passwords,
       (select count(*) from source_states) as sources`,
  )

test('refuses to migrate a database of a newer release and changes nothing', async () => {
  const before = await touched()
  const refused = migrate({
    databaseUrl: database.ownerUrl,
    passwords: { console: ROLE_PASSWORDS.console },
    log: () => {},
  })
  await expect(refused).rejects.toThrow(REFUSAL)
  expect(await touched()).toEqual(before)
})

test('sluice migrate and sluice doctor report it in one sentence', () => {
  const sluice = sluiceOn({ DATABASE_URL: database.ownerUrl })
  expect(sluice('migrate')).toEqual({ status: 1, stdout: '', stderr: `sluice: ${REFUSAL}\n` })
  expect(sluice('doctor', '--offline').stdout).toContain(REFUSAL.split('. ')[0])
})

const ENVIRONMENTS = {
  'api/main.ts': { API_PORT: '0', API_DATABASE_URL: database.apiUrl, METER_DATABASE_URL: database.meterUrl },
  'gateway/main.ts': {
    GATEWAY_PORT: '0',
    API_DATABASE_URL: database.apiUrl,
    GATEWAY_DATABASE_URL: database.gatewayUrl,
    X402_PUBLIC_URL: 'http://127.0.0.1:8402',
    X402_PAY_TO: PAY_TO,
    X402_FACILITATOR_URL: 'http://127.0.0.1:1',
    X402_COOKIE_SECRETS: 'a:a secret of the tests that is long enough',
  },
  // The worker checks the database before it waits for Temporal.
  'activities/worker.ts': { INGEST_DATABASE_URL: database.ingestUrl, TEMPORAL_ADDRESS: '127.0.0.1:1' },
}

test.each(Object.entries(ENVIRONMENTS))('%s exits on a database of a newer release', async (file, env) => {
  const before = await touched()
  const child = spawn(process.execPath, [join(import.meta.dirname, '../..', file)], {
    env: { ...BARE_ENVIRONMENT, ...env },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const late = setTimeout(() => child.kill('SIGKILL'), 45_000)
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(late)
  expect([code, said]).toEqual([1, expect.stringContaining(REFUSAL)])
  expect(said).not.toContain(' at ')
  expect(await touched()).toEqual(before)
})
