import { readFile } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import { changedSql, readCurrentSql } from './current-sql.ts'
import { migrationNames } from './migration-names.ts'
import { readText } from './read-sql.ts'
import type { Db } from './schema.ts'
import { SQL, sqlFiles } from './sql-files.ts'
import { REPLACED } from './take-over.ts'

/** What `sluice migrate` of this release would do to a database. */
export interface UpgradePlan {
  /** Migrations that would run, in order, and which of them drop or rewrite something. */
  migrations: { name: string; drops: boolean }[]
  /** Functions, views, triggers and rows that would be replaced. */
  replaced: string[]
  /** Migrations that this release does not know: a newer one was here. */
  unknown: string[]
}

/** Reads the plan and changes nothing. */
export async function readUpgradePlan(db: Db): Promise<UpgradePlan> {
  const names = migrationNames()
  const [table] = await readText<{ found: boolean }>(db, {
    text: `select to_regclass('kysely_migration') is not null as found`,
    values: [],
  })
  const applied = table!.found
    ? (await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)).rows.map(
        ({ name }) => name,
      )
    : []
  const known = new Set([...names, ...REPLACED])
  const texts = await migrationTexts()
  const changed = await changedSql(db as unknown as Kysely<unknown>, await readCurrentSql())
  return {
    migrations: names
      .filter((name) => !applied.includes(name))
      .map((name) => ({ name, drops: DROPS.test(texts.get(name) ?? '') })),
    replaced: changed.map(({ key }) => key),
    unknown: applied.filter((name) => !known.has(name)),
  }
}

/** Old processes that read what these take away fail until they are replaced. */
const DROPS = /^\s*(drop table|alter table [^;]*\b(drop column|alter column [^;]* type|rename)\b)/im

async function migrationTexts(): Promise<ReadonlyMap<string, string>> {
  const files = sqlFiles('migrations', SQL)
  return new Map(
    await Promise.all(files.map(async ({ name, url }) => [name, await readFile(url, 'utf8')] as const)),
  )
}
