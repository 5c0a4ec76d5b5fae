import { copyRows, type CopyValue } from '../copy-rows.ts'
import type { Transaction } from '../transact.ts'
import type { RiskToken } from './chains.ts'

/** The result of checking a token. `assessment` null: the source does not know the token. */
export interface CheckedToken extends RiskToken {
  assessment: {
    facts: object
    detected: string[]
    clear: string[]
    score: number | null
    marketEndorsed: boolean | null
    ownershipRenounced: boolean | null
  } | null
}

const KEY = ['blockchain', 'address']
const ASSESSMENT = ['known', 'facts', 'detected', 'clear', 'score', 'market_endorsed', 'ownership_renounced']

/**
 * Stores results. A token that its source no longer knows keeps its earlier result with the time of that
 * result: an absence does not prove that the risk is gone.
 */
export async function storeRisks(
  { client }: Pick<Transaction, 'client'>,
  batch: { tokens: readonly CheckedToken[]; source: string; checkedAt: Date },
): Promise<void> {
  const { tokens, source, checkedAt } = batch
  const columns = [...KEY, ...ASSESSMENT, 'source', 'fetched_at', 'checked_at']
  const rowOf = ({ blockchain, address, assessment: a }: CheckedToken): CopyValue[] => [
    blockchain,
    address,
    a !== null,
    JSON.stringify(a?.facts ?? {}),
    a?.detected ?? [],
    a?.clear ?? [],
    a?.score ?? null,
    a?.marketEndorsed ?? null,
    a?.ownershipRenounced ?? null,
    source,
    checkedAt,
    checkedAt,
  ]
  const rows = (known: boolean) =>
    tokens.filter(({ assessment }) => (assessment !== null) === known).map(rowOf)
  const table = 'token_risks'
  const update = [...ASSESSMENT, 'source', 'fetched_at', 'checked_at']
  await copyRows(client, { table, columns, key: KEY, update, rows: rows(true) })
  await copyRows(client, { table, columns, key: KEY, update: ['checked_at'], rows: rows(false) })
}
