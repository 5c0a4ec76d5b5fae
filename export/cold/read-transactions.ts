import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { ColdPart } from '../../db/chain/cold-transactions.ts'
import type { RawTransactionRow } from '../../db/chain/wallet-raw.ts'
import { duckRows, literal, withDuckDb } from '../duckdb.ts'
import { quote } from '../fields.ts'
import type { Target } from '../target.ts'
import { COLD_TABLES } from './cold-tables.ts'
import { checkedCopy, textsOf } from './read-back.ts'

const { dataset } = COLD_TABLES.find((table) => table.dataset.name === 'transactions')!

/**
 * Reads transactions from their files. Throws, and says what to do, if a file is away or damaged, or lacks one of
 * them. It takes no turn: files never change, and exports remove none of these.
 */
export async function readTransactions(
  target: Target,
  parts: readonly ColdPart[],
): Promise<RawTransactionRow[]> {
  // Not the folder of the target, which belongs to the export that runs.
  const folder = await mkdtemp(join(tmpdir(), 'sluice-cold-'))
  try {
    return await withDuckDb(join(folder, 'spill'), async (duckdb) => {
      const rows = []
      for (const part of parts) rows.push(await readPart({ target, duckdb, folder }, part))
      return rows.flat()
    })
  } catch (error) {
    throw new Error(
      `old transactions are in files of the exports that cannot be read: ${(error as Error).message}. Set EXPORT_TO to where "sluice cold move" has put them, or bring them back`,
      { cause: error },
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function readPart(
  { target, duckdb, folder }: { target: Target; duckdb: DuckDBConnection; folder: string },
  { networkId, file, sha256, hashes }: ColdPart,
): Promise<RawTransactionRow[]> {
  const path = await checkedCopy(target, { file, sha256, folder })
  const texts = await duckRows<Record<string, string | null> & { ms: number }>(
    duckdb,
    `select ${textsOf(dataset).join(', ')}, epoch_ms(occurred_at)::double as ms from read_parquet(${literal(path)})
     where ${quote('network_id')} = ${literal(networkId)} and ${quote('hash')} in (${hashes.map(literal).join(', ')})`,
  )
  if (texts.length !== hashes.length)
    throw new Error(`${file} has ${texts.length} of ${hashes.length} transactions of ${networkId}`)
  return texts.map((row) => ({
    hash: row['hash']!,
    block_number: row['block_number']!,
    block_hash: row['block_hash']!,
    at: new Date(row.ms),
    tx_index: Number(row['tx_index']),
    from_address: row['from_address']!,
    to_address: row['to_address']!,
    value: row['value']!,
    fee: row['fee']!,
    success: row['success'] === 'true',
    selector: row['selector']!,
    source: row['source']!,
  }))
}
