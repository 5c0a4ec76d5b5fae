import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import { brotliDecompressSync } from 'node:zlib'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { piecesOf } from './dump-text.ts'

/** One file per recorded release, named after its last migration. */
export const RELEASES = join(import.meta.dirname, 'releases')

/** Loads the dump of a release into an empty database. The login roles must exist. */
export async function loadRelease(name: string, databaseUrl: string): Promise<void> {
  const dump = brotliDecompressSync(readFileSync(join(RELEASES, `${name}.sql.br`))).toString()
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    for (const piece of piecesOf(dump))
      if ('sql' in piece) await client.query(piece.sql)
      else await pipeline(Readable.from([piece.rows]), client.query(copyFrom(piece.copy)))
  } finally {
    await client.end()
  }
}
