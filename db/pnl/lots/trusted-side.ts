const MAJORS: ReadonlySet<string> = new Set(['bitcoin', 'ethereum'])

/** Trust in prices of coins that are neither fiat nor stable. Not by rank, because figures would change with it. */
export const trustOf = (coinId: string): number => (MAJORS.has(coinId) ? 1 : 0)

/**
 * The side of a swap that values both: its least trusted leg is trusted more, else it is the given one. Trust is
 * Infinity for fiat and stable coins.
 */
export function trustedSide<Leg>(
  { given, received }: Record<'given' | 'received', readonly Leg[]>,
  trustIn: (leg: Leg) => number,
): 'given' | 'received' {
  const least = (side: readonly Leg[]) => Math.min(...side.map(trustIn))
  return least(received) > least(given) ? 'received' : 'given'
}
