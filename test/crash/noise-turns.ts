const TURN_MS = 2_000
const SETTLING_MS = 500

/** What the noisy account does: no API requests, requests within its rate, or requests far above its rate. */
export const TURNS = ['silent', 'in rate', 'noisy'] as const
export type Turn = (typeof TURNS)[number]

/** Turns are short, so that other load of the machine affects all of them equally. */
export const turnAt = (atMs: number): Turn => TURNS[Math.floor(atMs / TURN_MS) % TURNS.length]!

/** Time and duration of a request. */
export interface Timed {
  atMs: number
  ms: number
}

/**
 * Milliseconds of the requests of each round of a turn, without its beginning: then the account may still use
 * its burst, and answers of the previous turn are on their way.
 */
export function roundsOf(took: readonly Timed[], turn: Turn): number[][] {
  const settled = took.filter(({ atMs }) => turnAt(atMs) === turn && atMs % TURN_MS >= SETTLING_MS)
  return [...Map.groupBy(settled, ({ atMs }) => Math.floor(atMs / TURN_MS)).values()].map((round) =>
    round.map(({ ms }) => ms),
  )
}

export const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * part)]!

/**
 * Ratio of a quantile of some rounds to that of others. `least` and `most` bound its 90 % confidence interval
 * (bootstrap over rounds), because slow moments of the machine hit some rounds and not others.
 */
export function ratioOf(rounds: number[][], others: number[][], part: number) {
  const draw = (from: number[][]) => from.flatMap(() => from[Math.floor(Math.random() * from.length)]!)
  const ratio = (some: number[], other: number[]) => quantile(some, part) / quantile(other, part)
  const draws = Array.from({ length: 300 }, () => ratio(draw(rounds), draw(others)))
  return {
    ratio: ratio(rounds.flat(), others.flat()),
    least: quantile(draws, 0.05),
    most: quantile(draws, 0.95),
  }
}
