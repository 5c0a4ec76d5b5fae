import { sameMagnitude } from './hold-back.ts'
import { identityOf, knownIdOf } from './known-coins.ts'

/** A coin of a source, or one that is stored. */
interface Named {
  symbol: string
  name: string
  priceUsd: string
}

/**
 * Pairs the coins of two sources that have the same symbol and name, if only one coin on each side has them
 * and the prices are close. Symbols are not unique, and a wrong pair would hold back a good price for ever.
 */
export function matchCoins<A extends Named, B extends Named>(
  first: readonly A[],
  second: readonly B[],
): [A, B][] {
  const others = uniqueBy(second, identityOf)
  const pairs: [A, B][] = []
  for (const [key, row] of uniqueBy(first, identityOf)) {
    const other = others.get(key)
    if (other && sameMagnitude(row.priceUsd, other.priceUsd)) pairs.push([row, other])
  }
  return pairs
}

export function uniqueBy<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T> {
  const groups = Map.groupBy(rows, keyOf)
  return new Map(
    [...groups].flatMap(([key, group]) => (group.length === 1 ? [[key, group[0]!] as const] : [])),
  )
}

interface Upstream extends Named {
  upstreamId: string
}

/** A stored coin with its quote; null: it has none. */
export interface StoredCoin {
  coinId: string
  symbol: string
  name: string
  priceUsd: string | null
  /** The source has it already under another id. */
  isMapped: boolean
}

interface Identities {
  /** coins that are stored */
  same: Map<string, string>
  /** coins to store */
  fresh: Map<string, string>
}

/**
 * Gives ids to coins of a source that are not mapped yet, by upstream id: the id of the stored coin that they
 * are, or a new one that nobody has. A source whose ids are those here keeps them; of another one, coins that
 * may be a stored one, but not surely, get no id.
 */
export function identifyCoins(
  rows: readonly Upstream[],
  { stored, keepsIds }: { stored: readonly StoredCoin[]; keepsIds: boolean },
): Identities {
  const open = new Map(
    stored.flatMap(({ coinId, symbol, name, priceUsd, isMapped }) =>
      isMapped || priceUsd === null ? [] : [[coinId, { coinId, symbol, name, priceUsd }] as const],
    ),
  )
  const same = new Map<string, string>()
  for (const [row, { coinId }] of matchCoins(rows, [...open.values()])) {
    same.set(row.upstreamId, coinId)
    open.delete(coinId)
  }
  const taken = new Set(stored.map(({ coinId }) => coinId))
  const names = new Set(stored.map(identityOf))
  const alone = uniqueBy(rows, identityOf)
  const fresh = new Map<string, string>()
  for (const row of rows) {
    if (same.has(row.upstreamId)) continue
    const wanted = keepsIds ? row.upstreamId : (knownIdOf(row) ?? slugOf(row.name))
    const holder = open.get(wanted)
    if (holder && isLikely(row, holder)) {
      same.set(row.upstreamId, wanted)
      open.delete(wanted)
      continue
    }
    if (!keepsIds && (names.has(identityOf(row)) || alone.get(identityOf(row)) !== row)) continue
    const id = [wanted, row.upstreamId, `${row.upstreamId}-2`].find((one) => one !== '' && !taken.has(one))
    if (id === undefined) continue
    taken.add(id)
    fresh.set(row.upstreamId, id)
  }
  return { same, fresh }
}

/** The same id and symbol at about the same price. */
const isLikely = (row: Named, holder: Named) =>
  row.symbol.toUpperCase() === holder.symbol.toUpperCase() && sameMagnitude(row.priceUsd, holder.priceUsd)

const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
