/** What of an answer an agent reads. */
export interface Trimming {
  /** Dotted paths to keep; lists are passed through: `result.coin.symbol`. Absent: everything. */
  fields?: readonly string[]
  /** Items that stay of each list. */
  maxItems: number
}

/** A list of which items were left out. */
export interface Cut {
  /** dotted path; empty: the answer itself */
  path: string
  shown: number
  of: number
}

/** No answer is longer, however long its items are. */
export const MOST_CHARACTERS = 40_000

/** Keeps some fields and some items of each list, fewer where the text is still too long. */
export function trim(body: unknown, { fields, maxItems }: Trimming): { text: string; cuts: Cut[] } {
  const picked = fields
    ? pick(
        body,
        fields.map((path) => path.split('.')),
      )
    : body
  for (let most = maxItems; ; most = Math.floor(most / 2)) {
    const cuts: Cut[] = []
    const text = JSON.stringify(capped(picked, { most, path: '', cuts }))
    if (text.length <= MOST_CHARACTERS || most === 0) return { text, cuts }
  }
}

function pick(value: unknown, paths: readonly (readonly string[])[]): unknown {
  if (Array.isArray(value)) return value.map((item) => pick(item, paths))
  if (paths.some(({ length }) => length === 0) || typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    const below = paths.filter(([first]) => first === name).map((path) => path.slice(1))
    return below.length > 0 ? [[name, pick(inner, below)] as const] : []
  })
  return Object.fromEntries(entries)
}

function capped(value: unknown, at: { most: number; path: string; cuts: Cut[] }): unknown {
  const { most, path, cuts } = at
  if (Array.isArray(value)) {
    if (value.length > most && !cuts.some((cut) => cut.path === path))
      cuts.push({ path, shown: most, of: value.length })
    return value.slice(0, most).map((item) => capped(item, at))
  }
  if (typeof value !== 'object' || value === null) return value
  const below = (name: string) => ({ ...at, path: path === '' ? name : `${path}.${name}` })
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, capped(inner, below(name))]))
}
