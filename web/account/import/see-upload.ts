import { createHash } from 'node:crypto'
import type pg from 'pg'
import { notFound } from '../../../api/errors.ts'
import { type ImportUpload, notePreview, readUpload } from '../../../db/account/import-uploads.ts'
import { type Portfolio, readPortfolios } from '../../../db/portfolios/read-portfolios.ts'
import type { ReadonlyDb } from '../../../db/schema.ts'
import { isUuid } from '../../../db/values/uuid.ts'
import { uuidV7 } from '../../../db/values/uuid-v7.ts'
import { findRepeats } from './find-repeats.ts'
import { readFile } from './read-file.ts'
import { type Imported, type Problem, stateMovements } from './state-movements.ts'

export interface SeeDeps {
  db: ReadonlyDb
  /** Connects as role `account`. */
  pool: pg.Pool
  now: () => Date
}

/** Which upload is looked at, and whether what the portfolio has already is added anyway. */
export interface Looked {
  accountId: string
  uploadId: string
  isAnyway: boolean
}

/** What an uploaded file means at this moment. Lists are in the order of its lines. */
export interface Seen extends Looked {
  portfolio: Portfolio
  /** Whose format the file has. */
  format: string
  /** Texts by number of line. */
  lines: ReadonlyMap<number, string>
  toAdd: readonly Imported[]
  /** What the portfolio has already. */
  repeats: readonly Imported[]
  refused: readonly Problem[]
  left: readonly Problem[]
  /** Digest of what is to be added: the confirmation is for these rows and no others. */
  rows: string
  /** What the last preview showed; null: there was none. */
  previewed: ImportUpload['previewed']
}

export const manualPortfolios = async (db: ReadonlyDb, accountId: string): Promise<Portfolio[]> =>
  (await readPortfolios(db, { accountId })).filter(({ kind }) => kind === 'manual')

/** Reads an upload again. Throws 404 if the account has it no more. */
export async function seeUpload({ db, pool, now }: SeeDeps, looked: Looked): Promise<Seen> {
  const { accountId, uploadId, isAnyway } = looked
  const upload = isUuid(uploadId) ? await readUpload(pool, { accountId, uploadId }) : undefined
  const portfolio =
    upload && (await manualPortfolios(db, accountId)).find(({ id }) => id === upload.portfolioId)
  if (!upload || !portfolio)
    throw notFound('The file is not kept any more: it was imported, or an hour has passed. Choose it again.')
  const { format, entries, lines } = readFile(upload.text)
  const portfolioId = portfolio.id
  const { transactions, refused, left } = await stateMovements(db, { portfolioId, entries, now: now() })
  const { fresh, repeats } = await findRepeats(db, { portfolioId, transactions })
  // Their own ids are taken. An upload is used once, so a second confirmation adds nothing.
  const again = repeats.map((one) => ({ ...one, stated: { ...one.stated, id: uuidV7(now().getTime()) } }))
  const toAdd = isAnyway ? [...fresh, ...again].sort((a, b) => a.line - b.line) : fresh
  return {
    ...looked,
    portfolio,
    format: format.name,
    lines,
    toAdd,
    repeats,
    refused,
    left,
    rows: digestOf(toAdd),
    previewed: upload.previewed,
  }
}

const digestOf = (rows: readonly Imported[]): string => {
  const shown = rows.map(({ line, stated: { at, coinId, count, price, currency, note } }) => [
    line,
    at,
    coinId,
    count,
    price,
    currency,
    note,
  ])
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex')
}

/** Notes what is shown, to say later what has changed. */
export async function noteSeen(pool: pg.Pool, { accountId, uploadId, rows, toAdd }: Seen): Promise<void> {
  const transactions = toAdd.map(({ line, asset, coin }) => ({ line, asset, coinId: coin.id }))
  await notePreview(pool, { accountId, uploadId, previewed: { rows, transactions } })
}

/** What differs between the preview that its owner confirmed and this moment. Empty: it is not known. */
export function changesSince(shown: string, { previewed, toAdd, repeats, refused }: Seen): Problem[] {
  if (previewed?.rows !== shown) return []
  const keyOf = ({ line, asset }: { line: number; asset: string }) => `${line} ${asset}`
  const before = Map.groupBy(previewed.transactions, keyOf)
  const after = Map.groupBy(toAdd, keyOf)
  const changes: Problem[] = []
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(key) ?? [], after.get(key) ?? []]
    const { line, asset } = was[0] ?? is[0]!
    const [old, current] = [was[0]?.coinId, is[0]?.coin.id]
    if (old !== undefined && current !== undefined && old !== current)
      changes.push({ line, reason: `"${asset}" stood for ${old}, and is ${current} now` })
    else if (is.length > was.length) changes.push({ line, reason: 'it is to be added now' })
    else if (is.length < was.length) changes.push({ line, reason: whyNot(line, { repeats, refused }) })
  }
  return changes.sort((a, b) => a.line - b.line)
}

function whyNot(line: number, { repeats, refused }: Pick<Seen, 'repeats' | 'refused'>): string {
  if (repeats.some((one) => one.line === line)) return 'the portfolio has it by now'
  const reason = refused.find((one) => one.line === line)?.reason
  return reason === undefined ? 'it is not to be added now' : `it is refused now: ${reason}`
}
