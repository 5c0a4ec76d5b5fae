interface Known {
  name: string
  url: string | null
}

/**
 * Pairs the same exchanges of two lists: by equal name, else by equal web site, if only one exchange on each
 * side has it.
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

/** The name without words that some lists add and others leave out. */
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
