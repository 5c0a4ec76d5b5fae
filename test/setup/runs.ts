/**
 * How often a property is tried: a sample by `npm test`; all of it by `npm run test:long`, or as often as LONG_RUNS
 * says there.
 */
export function runs({ short, long }: { short: number; long: number }): number {
  const asked = process.env['LONG_RUNS']
  if (asked === undefined) return short
  return asked === '' ? long : Number(asked)
}
