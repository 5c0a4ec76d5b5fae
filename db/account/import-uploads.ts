import type pg from 'pg'
import { uuidV7 } from '../values/uuid-v7.ts'

// Role `account` may execute these functions but reads no table.

/** What a preview showed of the transactions of a file. */
export interface Preview {
  /** Digest of all of it. */
  rows: string
  /** The transactions to add. `asset`: the coin in the words of the file. */
  transactions: readonly { line: number; asset: string; coinId: string }[]
}

/** A file that its owner uploaded. */
export interface ImportUpload {
  portfolioId: string
  text: string
  /** Null: none was shown. */
  previewed: Preview | null
}

/**
 * Keeps a text for an hour and returns its id; the same text for the same portfolio keeps its id. An account has at most
 * ten. null: the account has no such manual portfolio.
 */
export async function keepUpload(
  pool: pg.Pool,
  upload: { accountId: string; portfolioId: string; text: string; now: Date },
): Promise<string | null> {
  const { accountId, portfolioId, text, now } = upload
  const { rows } = await pool.query<{ id: string | null }>(
    'select keep_import_upload($1, $2, $3, $4) as id',
    [accountId, portfolioId, uuidV7(now.getTime()), text],
  )
  return rows[0]!.id
}

/** undefined: the account has none with this id, or its time is over. */
export async function readUpload(
  pool: pg.Pool,
  { accountId, uploadId }: { accountId: string; uploadId: string },
): Promise<ImportUpload | undefined> {
  const { rows } = await pool.query<ImportUpload>(
    `select portfolio_id as "portfolioId", body as text, previewed from import_upload($1, $2)`,
    [accountId, uploadId],
  )
  return rows[0]
}

export async function notePreview(
  pool: pg.Pool,
  { accountId, uploadId, previewed }: { accountId: string; uploadId: string; previewed: Preview },
): Promise<void> {
  await pool.query('select note_import_preview($1, $2, $3)', [accountId, uploadId, JSON.stringify(previewed)])
}
