/** Blocks above `low` up to `high`, with an account's balance at both. */
export interface Span {
  account: string
  low: number
  high: number
  before: bigint
  after: bigint
}

/** The balances of accounts at a block. */
export type BalancesAt = (input: {
  accounts: readonly string[]
  block: number
}) => Promise<ReadonlyMap<string, bigint>>

/**
 * The blocks in which balances changed, with the accounts, by halving: as many rounds as the longest span has
 * binary digits, and one call for each block of a round. `hints`: blocks that probably changed an account,
 * which are looked at first, so that they take one round. A change that another one of the span undoes is not
 * found.
 */
export async function findChanges(
  balancesAt: BalancesAt,
  { spans, hints }: { spans: readonly Span[]; hints: ReadonlyMap<string, readonly number[]> },
): Promise<Map<number, Set<string>>> {
  const found = new Map<number, Set<string>>()
  let open = spans
    .filter(({ before, after }) => before !== after)
    .map((span) => ({ span, cuts: cutsAround(span, hints.get(span.account) ?? []) }))
  while (open.length > 0) {
    const wanted = new Map<number, string[]>()
    for (const { span, cuts } of open)
      for (const block of cuts) wanted.set(block, [...(wanted.get(block) ?? []), span.account])
    const balances = new Map(
      await Promise.all(
        [...wanted].map(async ([block, accounts]) => [block, await balancesAt({ accounts, block })] as const),
      ),
    )
    open = open.flatMap(({ span, cuts }) => {
      const balanceAt = (block: number) =>
        block === span.low
          ? span.before
          : block === span.high
            ? span.after
            : balances.get(block)!.get(span.account)!
      const ends = [span.low, ...cuts, span.high]
      return ends.slice(1).flatMap((high, i) => {
        const low = ends[i]!
        const [before, after] = [balanceAt(low), balanceAt(high)]
        if (before === after) return []
        const { account } = span
        if (high - low > 1)
          return [{ span: { account, low, high, before, after }, cuts: [Math.floor((low + high) / 2)] }]
        found.set(high, (found.get(high) ?? new Set()).add(account))
        return []
      })
    })
  }
  return found
}

/** The hinted blocks of a span and those before them; a span without any is halved in the next round. */
function cutsAround({ low, high }: Span, hints: readonly number[]): number[] {
  const cuts = new Set(hints.flatMap((block) => [block - 1, block]))
  return [...cuts].filter((block) => block > low && block < high).toSorted((a, b) => a - b)
}
