interface Known {
  name: string
  url: string | null
}

/**
 * Pairs the exchanges of two lists that are one: by the same name, else by the same web site, so far as that is true
 * of one on each side only.
 */
export function matchExchanges<A extends Known, B extends Known>(
  first: readonly A[],
  second: readonly B[],
): [A, B][] {
  const pairs: [A, B][] = []
  let [left, right] = [first, second]
  for (const keyOf of [nameKey, hostKey]) {
    const others = uniqueBy(right, keyOf)
    for (const [key, row] of uniqueBy(left, keyOf)) {
      const other = others.get(key)
      if (other) pairs.push([row, other])
    }
    const taken = new Set<unknown>(pairs.flat())
    left = left.filter((row) => !taken.has(row))
    right = right.filter((row) => !taken.has(row))
  }
  return pairs
}

/** What lists add to a name, or leave out. */
const nameKey = ({ name }: Known): string =>
  name
    .toLowerCase()
    .replace(/\b(exchange|spot|global|pro)\b/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '')

function hostKey({ url }: Known): string {
  return url === null || !URL.canParse(url) ? '' : new URL(url).hostname.replace(/^www\./, '')
}

function uniqueBy<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T> {
  const groups = Map.groupBy(rows, keyOf)
  return new Map(
    [...groups].flatMap(([key, group]) => (key !== '' && group.length === 1 ? [[key, group[0]!]] : [])),
  )
}
