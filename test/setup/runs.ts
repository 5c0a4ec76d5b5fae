/**
 * How often a property is tried: a sample by `npm test`; all of it by `npm run test:long`, or as often as LONG_RUNS
 * says there.
 */
export function runs({ short, long }: { short: number; long: number }): number {
  const asked = process.env['LONG_RUNS']
  if (asked === undefined) return short
  return asked === '' ? long : Number(asked)
}

/** What so many runs have met together at least, where it comes in one of `every` of them: a sample promises less. */
export const atLeast = (tries: number, every: number): number => Math.floor(tries / (4 * every))
