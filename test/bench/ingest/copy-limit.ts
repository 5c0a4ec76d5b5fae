import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { COLUMNS, transfers } from './transfers.ts'

const ROWS_PER_CHUNK = 200

/** Creates a table like `transfers`, with the same partitions and indexes. */
export async function createLimitTable(owner: pg.Pool): Promise<void> {
  await owner.query(
    `create table transfers_limit (like transfers including all) partition by hash (network_id, tx_hash)`,
  )
  for (let part = 0; part < 8; part++)
    await owner.query(
      `create table transfers_limit_${part} partition of transfers_limit for values with (modulus 8, remainder ${part})`,
    )
}

/** Writes the same rows with one plain COPY: no staging, no conflict check, one transaction. */
export async function copyPlainly(owner: pg.Pool, rows: number): Promise<void> {
  const client = await owner.connect()
  try {
    const stream = client.query(copyFrom(`copy transfers_limit (${COLUMNS.join(', ')}) from stdin`))
    await pipeline(Readable.from(chunks(rows), { objectMode: false, highWaterMark: 65_536 }), stream)
  } finally {
    client.release()
  }
}

function* chunks(rows: number): Generator<string> {
  let chunk = ''
  let waiting = 0
  for (const row of transfers(0, rows)) {
    const fields = row.map((value) =>
      value === null ? '\\N' : value instanceof Date ? value.toISOString() : String(value),
    )
    chunk += `${fields.join('\t')}\n`
    if (++waiting < ROWS_PER_CHUNK) continue
    yield chunk
    chunk = ''
    waiting = 0
  }
  if (chunk !== '') yield chunk
}
