/**
 * Number of runs of a property: `short` in `npm test`; `long`, or LONG_RUNS if set, in `npm run test:long`.
 */
export function runs({ short, long }: { short: number; long: number }): number {
  const asked = process.env['LONG_RUNS']
  if (asked === undefined) return short
  return asked === '' ? long : Number(asked)
}

/**
 * Least number of occurrences to expect in `tries` runs of a case that occurs in one of `every`. It is a
 * quarter of the mean, to allow for chance.
 */
export const atLeast = (tries: number, every: number): number => Math.floor(tries / (4 * every))
