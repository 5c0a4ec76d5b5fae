import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { schemaVersion } from '../../db/migration-names.ts'
import { mapRows } from './dump-text.ts'
import { RELEASES } from './load-release.ts'

// Once per release: run SANDBOX_SCALE=0.05 npm start, and when all areas have data, node
// test/upgrade/record-release.ts DATABASE_URL records that database for upgrade.db.test.ts. It needs pg_dump
// of the server's version: docs/deployment.md#tools.

/** Tables with more than LONG rows keep only the first KEPT, unless other tables refer to them. */
const LONG = 500
const KEPT = 40

const [databaseUrl] = process.argv.slice(2)
if (!databaseUrl) throw new Error('Usage: node test/upgrade/record-release.ts DATABASE_URL')
const dump = execFileSync('pg_dump', ['--no-owner', databaseUrl], { encoding: 'utf8', maxBuffer: 1 << 30 })
const referred = new Set([...dump.matchAll(/ REFERENCES public\.(\w+)\(/g)].map(([, table]) => table!))
const thinned = mapRows(dump, (table, rows) => {
  const name = table.replace(/^\w+\.|_\d+$/g, '')
  return referred.has(name) || rows.length <= LONG ? rows : rows.slice(0, KEPT)
})
const file = join(RELEASES, `${schemaVersion()}.sql.br`)
const packed = brotliCompressSync(thinned)
writeFileSync(file, packed)
console.log(`${file}: ${packed.length} bytes`)
