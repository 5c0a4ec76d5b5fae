const MAJORS: ReadonlySet<string> = new Set(['bitcoin', 'ethereum'])

/** Trust in prices of coins that are neither fiat nor stable. Not by rank, because figures would change with it. */
export const trustOf = (coinId: string): number => (MAJORS.has(coinId) ? 1 : 0)

interface TrustRules {
  isStable: (coinId: string) => boolean
  trust: (coinId: string) => number
}

/** The side of a swap that values both: its least trusted coin is trusted more, else it is the given one. */
export function trustedSide(
  { given, received }: Record<'given' | 'received', readonly { coinId: string }[]>,
  { isStable, trust }: TrustRules,
): 'given' | 'received' {
  const least = (side: readonly { coinId: string }[]) =>
    Math.min(...side.map(({ coinId }) => (isStable(coinId) ? Infinity : trust(coinId))))
  return least(received) > least(given) ? 'received' : 'given'
}
