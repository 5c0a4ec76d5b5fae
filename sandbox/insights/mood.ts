import { createNoise, hashText } from '../market/noise.ts'

const day = 86_400

export type Mood = ReturnType<typeof createMood>

/** The market mood per UTC day, 0 (extreme fear) to 100: a pure function of seed, publisher and day. */
export function createMood({ seed, publisher }: { seed: number; publisher: string }) {
  const own = createNoise(hashText(seed, `mood of ${publisher}`))
  const common = createNoise(hashText(seed, 'mood'))

  /** `at` is the midnight at which the day begins, in Unix seconds. */
  function valueOf(at: number): number {
    // People are greedy when prices rose over the last month. Publishers differ a little.
    const rise = (common(at) - common(at - 30 * day)) / 5 + (own(at) - own(at - 3 * day)) / 12
    return Math.round(50 + 45 * Math.tanh(rise))
  }

  function classOf(value: number): string {
    const classes = ['Extreme Fear', 'Fear', 'Neutral', 'Greed', 'Extreme Greed']
    return classes[[24, 44, 55, 75, 100].findIndex((bound) => value <= bound)]!
  }

  /** Midnights from the newest to the first, without the days that the publisher left out. */
  function days(options: { now: number; first: number; missing: readonly number[] }): number[] {
    const all: number[] = []
    for (let at = Math.floor(options.now / day) * day; at >= options.first; at -= day)
      if (!options.missing.includes(at)) all.push(at)
    return all
  }

  return { valueOf, classOf, days }
}
