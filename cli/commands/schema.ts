import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../folders.ts'
import { migratedSchema } from '../postgres/migrated-schema.ts'

/** Writes db/schema.sql: the schema that the SQL of the areas creates in an empty database. */
export async function run(): Promise<void> {
  await writeFile(join(ROOT, 'db', 'schema.sql'), await migratedSchema())
  console.log('db/schema.sql is written')
}
