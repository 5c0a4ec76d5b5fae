import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { inject, test, expect } from 'vitest'
import { ownerUrl } from '../../cli/postgres/postgres-service.ts'
import { query } from '../setup/query.ts'
import '../setup/provided.ts'

const server = inject('postgres')
const database = 'migrate_command'
const urlOf = (role: string) => `postgres://${role}:${role}@127.0.0.1:${server.port}/${database}`

test('sluice migrate creates the schema and the logins of the roles, and a second run succeeds', async () => {
  await query(ownerUrl({ ...server, database: 'postgres' }), `create database ${database}`)
  const env = {
    ...process.env,
    DATABASE_URL: ownerUrl({ ...server, database }),
    INGEST_DATABASE_URL: urlOf('ingest'),
    API_DATABASE_URL: urlOf('api'),
    METER_DATABASE_URL: urlOf('meter'),
  }
  for (let i = 0; i < 2; i++) {
    const main = join(import.meta.dirname, '../../cli/main.ts')
    const { status, stderr } = spawnSync(process.execPath, [main, 'migrate'], { env, encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(status).toBe(0)
  }
  expect(await query(urlOf('api'), 'select count(*)::int as coins from coins')).toEqual([{ coins: 0 }])
})

test('with TEMPORAL_DATABASE_URL it creates the role and databases of Temporal, which may access nothing else', async () => {
  const owned = 'migrate_with_temporal'
  const url = (name: string, role: string) => `postgres://${role}@127.0.0.1:${server.port}/${name}`
  await query(ownerUrl({ ...server, database: 'postgres' }), `create database ${owned}`)
  // The state of an installation in which the owner ran Temporal.
  await query(ownerUrl({ ...server, database: 'postgres' }), 'create database temporal')
  const before = ownerUrl({ ...server, database: 'temporal' })
  await query(before, 'create table executions (shard_id int)')
  await query(before, `create function convert_ts(s text) returns text language sql as 'select s'`)
  const env = {
    ...process.env,
    DATABASE_URL: ownerUrl({ ...server, database: owned }),
    TEMPORAL_DATABASE_URL: url('temporal', 'temporal:first'),
  }
  const main = join(import.meta.dirname, '../../cli/main.ts')
  for (const password of ['first', 'second']) {
    const given = { ...env, TEMPORAL_DATABASE_URL: url('temporal', `temporal:${password}`) }
    const { status, stderr } = spawnSync(process.execPath, [main, 'migrate'], {
      env: given,
      encoding: 'utf8',
    })
    expect([stderr, status]).toEqual(['', 0])
  }
  await expect(query(url('temporal', 'temporal:first'), 'select')).rejects.toMatchObject({ code: '28P01' })
  const temporal = (name: string) => url(name, 'temporal:second')
  await query(temporal('temporal'), 'alter table executions add column n int')
  await query(temporal('temporal'), 'drop function convert_ts(text)')
  // The statements of Temporal's own tool.
  await query(temporal('temporal_visibility'), 'create extension btree_gin')
  await query(temporal('temporal_visibility'), 'create table executions_visibility (namespace_id text)')
  for (const statement of ['select from accounts', 'select from coins', 'create table t (a int)'])
    await expect(query(temporal(owned), statement)).rejects.toMatchObject({ code: '42501' })
  const [role] = await query<{ rolsuper: boolean }>(
    temporal('temporal'),
    'select rolsuper, rolcreatedb, rolcreaterole from pg_roles where rolname = current_user',
  )
  expect(role).toEqual({ rolsuper: false, rolcreatedb: false, rolcreaterole: false })
})
