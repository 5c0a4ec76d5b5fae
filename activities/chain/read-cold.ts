import type { ColdReader } from '../../db/chain/cold-transactions.ts'
import type { Target } from '../../export/target.ts'

/** Reads old transactions from where exports are written. undefined: nowhere. */
export function coldReader(target: Target | null): ColdReader | undefined {
  if (target === null) return undefined
  return async (parts) => {
    // Loaded on demand: DuckDB takes 50 MB, which a worker without old rows in files does not need.
    const { readTransactions } = await import('../../export/cold/read-transactions.ts')
    return await readTransactions(target, parts)
  }
}
