import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { literal } from './duckdb.ts'

/** Writes the rows of a query to a CSV file. */
export async function writeCsv(client: pg.ClientBase, select: string, path: string): Promise<void> {
  const rows = client.query(copyTo(`copy (${select}) to stdout (format csv)`))
  await pipeline(rows, inLargeChunks, createWriteStream(path))
}

const CHUNK_BYTES = 1_048_576

/** Postgres sends 8 KB at a time. Written one by one, they take as much time of the system as Postgres itself. */
async function* inLargeChunks(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let gathered: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    gathered.push(chunk)
    bytes += chunk.length
    if (bytes < CHUNK_BYTES) continue
    yield Buffer.concat(gathered)
    gathered = []
    bytes = 0
  }
  yield Buffer.concat(gathered)
}

/** DuckDB SQL of the rows of such a file. `columns`: the type by which each is read. */
export function csvRows(path: string, columns: Readonly<Record<string, string>>): string {
  const types = Object.entries(columns).map(([name, type]) => `${literal(name)}: ${literal(type)}`)
  return `read_csv(${literal(path)}, columns = {${types.join(', ')}}, auto_detect = false, header = false, delim = ',',
    quote = '"', escape = '"', nullstr = '', allow_quoted_nulls = false)`
}
