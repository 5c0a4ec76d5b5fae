const TURN_MS = 2_000
const SETTLING_MS = 500

/** Where the noisy account asks: nowhere, the API within its rate, or the API at ten times its rate. */
export const TURNS = ['silent', 'in rate', 'noisy'] as const
export type Turn = (typeof TURNS)[number]

/** They follow each other so fast that what else the machine does is in all of them. */
export const turnAt = (atMs: number): Turn => TURNS[Math.floor(atMs / TURN_MS) % TURNS.length]!

/** When a request was made and how long it took. */
export interface Timed {
  atMs: number
  ms: number
}

/**
 * Milliseconds of the requests of each round of a turn. Without its beginning: an account may still use what it has saved
 * up, and answers of the turn before are on their way.
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
 * How many times a quantile of some rounds is that of others. `least` and `most`: what it is at least and at most in nine
 * of ten draws of rounds (bootstrap), for the machine's own slow moments fall into some rounds and not into others.
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
