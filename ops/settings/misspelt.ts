import { nearest } from './nearest.ts'

/** With more typing errors than these, the name belongs to another program. */
const MOST_SLIPS = 2
const SHORT = 12

interface Misspelt {
  name: string
  meant: string
}

/** Returns variables that are set, are not in `known`, and are close to a name in `meant`. */
export function misspelt(
  env: Readonly<Record<string, string | undefined>>,
  { known, meant = known }: { known: readonly string[]; meant?: readonly string[] },
): Misspelt[] {
  const all = new Set(known)
  return Object.keys(env).flatMap((name) => {
    if (!env[name] || all.has(name)) return []
    const found = nearest(name.toUpperCase(), meant, name.length < SHORT ? 1 : MOST_SLIPS)
    return found === null ? [] : [{ name, meant: found }]
  })
}
