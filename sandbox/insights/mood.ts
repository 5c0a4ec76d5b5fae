import { createNoise, hashText } from '../market/noise.ts'

const day = 86_400

export type Mood = ReturnType<typeof createMood>

/** The mood of the market by the UTC day: 0 (extreme fear) to 100, a pure function of seed, publisher and day. */
export function createMood({ seed, publisher }: { seed: number; publisher: string }) {
  const own = createNoise(hashText(seed, `mood of ${publisher}`))
  const common = createNoise(hashText(seed, 'mood'))

  /** `at` is the midnight that begins the day. */
  function valueOf(at: number): number {
    // Prices against those of a month before: people are greedy after a rise. Publishers see it a little differently.
    const rise = (common(at) - common(at - 30 * day)) / 5 + (own(at) - own(at - 3 * day)) / 12
    return Math.round(50 + 45 * Math.tanh(rise))
  }

  function classOf(value: number): string {
    const classes = ['Extreme Fear', 'Fear', 'Neutral', 'Greed', 'Extreme Greed']
    return classes[[24, 44, 55, 75, 100].findIndex((bound) => value <= bound)]!
  }

  /** Midnights from the newest back to the first, those that the publisher left out missing. */
  function days(options: { now: number; first: number; missing: readonly number[] }): number[] {
    const all: number[] = []
    for (let at = Math.floor(options.now / day) * day; at >= options.first; at -= day)
      if (!options.missing.includes(at)) all.push(at)
    return all
  }

  return { valueOf, classOf, days }
}
