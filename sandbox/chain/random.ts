import { uniform } from '../market/noise.ts'

export type Random = ReturnType<typeof createRandom>

/** A reproducible stream of random choices. */
export function createRandom(key: number) {
  let index = 0
  const next = (): number => uniform(key, index++)
  return {
    next,
    between: (low: number, high: number): number => low + next() * (high - low),
    integer: (below: number): number => Math.floor(next() * below),
    chance: (probability: number): boolean => next() < probability,
    /** A size between low and high whose logarithm is uniform: many small, few large. */
    size: (low: number, high: number): number => low * (high / low) ** next(),
    pick: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!,
    weighted: <T>(list: readonly (readonly [T, number])[]): T => {
      let x = next() * list.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [value, weight] of list) if ((x -= weight) < 0) return value
      return list.at(-1)![0]
    },
  }
}
