import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { inject, test, expect } from 'vitest'
import { ownerUrl } from '../../cli/postgres/postgres-service.ts'
import { query } from '../setup/query.ts'
import '../setup/provided.ts'

const server = inject('postgres')
const database = 'migrate_command'
const urlOf = (role: string) => `postgres://${role}:${role}@127.0.0.1:${server.port}/${database}`

test('sluice migrate brings an empty database to the schema and lets the roles log in, also a second time', async () => {
  await query(ownerUrl({ ...server, database: 'postgres' }), `create database ${database}`)
  const env = {
    ...process.env,
    DATABASE_URL: ownerUrl({ ...server, database }),
    ...{
      INGEST_DATABASE_URL: urlOf('ingest'),
      API_DATABASE_URL: urlOf('api'),
      METER_DATABASE_URL: urlOf('meter'),
    },
  }
  for (let i = 0; i < 2; i++) {
    const main = join(import.meta.dirname, '../../cli/main.ts')
    const { status, stderr } = spawnSync(process.execPath, [main, 'migrate'], { env, encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(status).toBe(0)
  }
  expect(await query(urlOf('api'), 'select count(*)::int as coins from coins')).toEqual([{ coins: 0 }])
})
