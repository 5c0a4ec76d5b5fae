import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { ownerUrl } from '../../cli/postgres/postgres-service.ts'
import type { Role } from '../../db/migrate.ts'
import { keepConnections, query } from './query.ts'
import './provided.ts'

export const ROLE_PASSWORDS: Record<Role, string> = {
  ingest: 'ingest',
  api: 'api',
  meter: 'meter',
  gateway: 'gateway',
  account: 'account',
  console: 'console',
  issuer: 'issuer',
}

export interface TestDatabase {
  name: string
  /** The owner of the database, with all rights. */
  ownerUrl: string
  ingestUrl: string
  apiUrl: string
  meterUrl: string
  gatewayUrl: string
  accountUrl: string
  consoleUrl: string
  issuerUrl: string
}

/**
 * A fresh, migrated and empty database for one test file, dropped when the file is done. Call it at the top level of
 * a `*.db.test.ts` or `*.workflow.test.ts`.
 */
export async function testDatabase(template = inject('postgres').template): Promise<TestDatabase> {
  const server = inject('postgres')
  const admin = databaseOn(server, 'postgres').ownerUrl
  const closeAdmin = keepConnections(admin)
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // Takes half the time of a copy through the write-ahead log.
  await query(admin, `create database ${name} template ${template} strategy file_copy`)
  // A long limit, so that other load on the machine does not fail tests. test/api/outage tests the real one.
  await query(admin, `alter role meter in database ${name} set statement_timeout = '60s'`)
  const database = databaseOn(server, name)
  const closeConnections = keepConnections(database.ownerUrl)
  afterAll(async () => {
    await closeConnections()
    await untilUnused(admin, name)
    await query(admin, `drop database ${name} with (force)`)
    await closeAdmin()
  })
  return database
}

/**
 * Like testDatabase(), with the rows that `fill` writes: once for all files that name the same template. `fill`
 * closes its connections, and returns as JSON what the files must know of it, such as the time of its rows.
 */
export async function filledDatabase<Filled>(
  name: string,
  fill: (database: TestDatabase) => Promise<Filled>,
): Promise<{ database: TestDatabase; filled: Filled }> {
  const server = inject('postgres')
  const template = `template_${name}`
  const admin = new pg.Client({ connectionString: databaseOn(server, 'postgres').ownerUrl })
  await admin.connect()
  try {
    await admin.query('select pg_advisory_lock(hashtext($1))', [template])
    const described = `select shobj_description(oid, 'pg_database') as text from pg_database where datname = $1`
    const known = (await admin.query<{ text: string | null }>(described, [template])).rows[0]?.text
    let filled: Filled
    if (known) filled = JSON.parse(known) as Filled
    else {
      await admin.query(`drop database if exists ${template} with (force)`)
      await admin.query(`create database ${template} template ${server.template} strategy file_copy`)
      filled = await fill(databaseOn(server, template))
      await untilUnused(databaseOn(server, 'postgres').ownerUrl, template)
      await admin.query(`comment on database ${template} is ${admin.escapeLiteral(JSON.stringify(filled))}`)
    }
    return { database: await testDatabase(template), filled }
  } finally {
    await admin.end()
  }
}

interface LocalServer {
  port: number
  ownerPassword: string
  /** Folder of its Unix socket; absent: TCP. A query through the socket takes a third less processor time. */
  socketFolder?: string
}

/** The URLs of a migrated database, by role. */
export function databaseOn(server: LocalServer, name: string): TestDatabase {
  const through = server.socketFolder === undefined ? '' : `?host=${server.socketFolder}`
  const roleUrl = (role: Role) =>
    `postgres://${role}:${ROLE_PASSWORDS[role]}@127.0.0.1:${server.port}/${name}${through}`
  return {
    name,
    ownerUrl: `${ownerUrl({ ...server, database: name })}${through}`,
    ingestUrl: roleUrl('ingest'),
    apiUrl: roleUrl('api'),
    meterUrl: roleUrl('meter'),
    gatewayUrl: roleUrl('gateway'),
    accountUrl: roleUrl('account'),
    consoleUrl: roleUrl('console'),
    issuerUrl: roleUrl('issuer'),
  }
}

/** The same database by TCP, at the port of another server that passes everything on. */
export function throughPort(url: string, port: number): string {
  const by = Object.assign(new URL(url), { port: String(port) })
  by.searchParams.delete('host')
  return by.href
}

/** Waits until the server has forgotten closed connections, because cutting one causes an error. */
async function untilUnused(admin: string, name: string): Promise<void> {
  const used = `select from pg_stat_activity where datname = $1`
  for (let i = 0; i < 40 && (await query(admin, used, [name])).length > 0; i++) await sleep(50)
}
