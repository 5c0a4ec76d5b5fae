import { countEqualTransactions, knownTransactions } from '../../../db/portfolios/read-manual-transactions.ts'
import type { ReadonlyDb } from '../../../db/schema.ts'
import type { Imported } from './state-movements.ts'

/**
 * Splits the transactions of a file into those that a portfolio lacks and those that it has. It has those that were
 * imported with the same words, and as many with one time, coin and count as it has from elsewhere: another file may
 * name another price for them, with its fee or without.
 */
export async function findRepeats(
  db: ReadonlyDb,
  { portfolioId, transactions }: { portfolioId: string; transactions: readonly Imported[] },
): Promise<{ fresh: Imported[]; repeats: Imported[] }> {
  const ids = transactions.map(({ stated }) => stated.id)
  const known = await knownTransactions(db, { portfolioId, ids })
  const others = transactions.filter(({ stated }) => !known.has(stated.id))
  const counts = await countEqualTransactions(db, {
    portfolioId,
    except: [...known],
    transactions: others.map(({ stated }) => stated),
  })
  const left = new Map(others.map(({ stated }, i) => [contentOf(stated), counts[i]!]))
  const isRepeat = ({ stated }: Imported): boolean => {
    if (known.has(stated.id)) return true
    const content = contentOf(stated)
    const count = left.get(content)!
    left.set(content, count - 1)
    return count > 0
  }
  const { fresh = [], repeats = [] } = Object.groupBy(transactions, (one) =>
    isRepeat(one) ? 'repeats' : 'fresh',
  )
  return { fresh, repeats }
}

const contentOf = ({ at, coinId, count }: Imported['stated']): string =>
  [at.toISOString(), coinId, count].join(' ')
