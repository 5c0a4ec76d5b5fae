import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import { brotliDecompressSync } from 'node:zlib'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { piecesOf } from './dump-text.ts'

/** One file for each release that was recorded, named after its last migration. */
export const RELEASES = join(import.meta.dirname, 'releases')

/** Fills an empty database with what a release has left. The login roles must be there. */
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
