import { nearest } from './nearest.ts'

/** Slips of the hand: more than these, and it is another program's name. */
const MOST_SLIPS = 2
const SHORT = 12

interface Misspelt {
  name: string
  meant: string
}

/** Names that are set and stand for nothing (`known`), but nearly for one of `meant`. */
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
