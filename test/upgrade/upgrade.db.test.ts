import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { ownerUrl } from '../../cli/postgres/postgres-service.ts'
import { checkBalances } from '../../cli/verify/check-balances.ts'
import { checkCredits } from '../../cli/verify/check-credits.ts'
import { migrate } from '../../db/migrate.ts'
import { migrationNames } from '../../db/migration-names.ts'
import { printSchema } from '../../db/print-schema.ts'
import { startApi } from '../setup/api.ts'
import { databaseOn } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { loadRelease, RELEASES } from './load-release.ts'

// Migrates databases of older releases to this one.

const releases = readdirSync(RELEASES).map((file) => file.replace('.sql.br', ''))
const schema = readFileSync(join(import.meta.dirname, '../../db/schema.sql'), 'utf8')
const server = inject('postgres')

const TABLES = `select format('%I.%I', n.nspname, c.relname) as name from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and not c.relispartition and n.nspname in ('public', 'past')
    and c.relname not like 'kysely_%' and c.relname <> 'applied_sql' order by 1`

/** Number of rows by table. */
async function rowsOf(url: string): Promise<Record<string, number>> {
  const tables = await query<{ name: string }>(url, TABLES)
  const counts = tables.map(({ name }) => `select '${name}' as name, count(*)::int as rows from ${name}`)
  const rows = await query<{ name: string; rows: number }>(url, counts.join(' union all '))
  return Object.fromEntries(rows.map(({ name, rows: count }) => [name, count]))
}

/** Stores a rebase and an airdrop as older releases did, when they had no roles, and returns their hashes. */
async function storeAirdrops(url: string): Promise<string[]> {
  const rows = await query<{ tx_hash: string }>(
    url,
    `update movements set role = 'airdrop' where tx_hash in (
       select tx_hash from movements join wallet_transactions on hash = tx_hash
       group by tx_hash having count(*) = 1 order by tx_hash limit 2)
     returning tx_hash`,
  )
  const hashes = rows.map((row) => row.tx_hash)
  await query(url, `update wallet_transactions set type = 'balance' where hash = $1`, hashes.slice(0, 1))
  return hashes
}

test.each(releases)('a database of release %s is migrated without loss', async (release) => {
  const name = `release_${releases.indexOf(release)}`
  await query(ownerUrl({ ...server, database: 'postgres' }), `create database ${name}`)
  const database = databaseOn(server, name)
  await loadRelease(release, database.ownerUrl)
  const before = await rowsOf(database.ownerUrl)
  const [grown, given] = await storeAirdrops(database.ownerUrl)

  await migrate({ databaseUrl: database.ownerUrl, passwords: {}, log: () => {} })
  expect(await query(database.ownerUrl, 'select name from kysely_migration order by name')).toEqual(
    migrationNames().map((migration) => ({ name: migration })),
  )
  expect(await printSchema(database.ownerUrl)).toBe(schema)
  const after = await rowsOf(database.ownerUrl)
  const relabelled = 'select tx_hash, role from movements where tx_hash in ($1, $2) order by role'
  expect(await query(database.ownerUrl, relabelled, [grown, given])).toEqual([
    { tx_hash: given, role: 'airdrop' },
    { tx_hash: grown, role: 'rebase' },
  ])
  const lost = Object.keys(before).filter((table) => table in after && after[table]! < before[table]!)
  expect(lost).toEqual([])
  // The test would pass with an empty fixture.
  expect(before).toMatchObject({
    'public.accounts': 1,
    'public.portfolios': 3,
    'public.exchange_connections': 1,
  })
  expect(Object.values(before).filter((count) => count > 0).length).toBeGreaterThan(80)

  const api = await startApi({ database, routes })
  for (const check of [await checkCredits(api.owner), await checkBalances(api.owner, null)])
    expect(check).toMatchObject({ compared: expect.toSatisfy((count) => count > 0), differences: [] })
  const { key } = await api.newAccount()
  const coins = (await (await api.get('/coins?limit=3', key)).json()) as { result: unknown[] }
  expect(coins.result).toHaveLength(3)
})

test('a database older than the oldest supported release is refused and unchanged', async () => {
  const name = 'release_older'
  await query(ownerUrl({ ...server, database: 'postgres' }), `create database ${name}`)
  const url = databaseOn(server, name).ownerUrl
  await loadRelease(releases[0]!, url)
  const [LAST, BEFORE] = ['20261123-0330-note-price-changes', '20261122-2625-know-authorizations']
  await query(url, `delete from kysely_migration where name = '${LAST}'`)
  const touched = () => query(url, 'select name, timestamp from kysely_migration order by name')
  const stored = await touched()
  await expect(migrate({ databaseUrl: url, passwords: {}, log: () => {} })).rejects.toThrow(
    `The database has the migrations of an older release, up to ${BEFORE}. This release takes over a database that ` +
      `has all of them, up to ${LAST}. Nothing was changed.`,
  )
  expect(await touched()).toEqual(stored)
  expect(await query(url, `select to_regclass('applied_sql') as made`)).toEqual([{ made: null }])
})
