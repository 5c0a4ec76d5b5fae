/**
 * Well-mixed 32-bit hash of two integers (murmur3 finaliser): the only source of randomness of the market.
 */
export function hash32(key: number, index: number): number {
  let h = Math.imul(key ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index | 0, 0xc2b2ae35)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** Hash of a text, to give each coin its own key. */
export function hashText(seed: number, text: string): number {
  let h = hash32(seed, text.length)
  for (let i = 0; i < text.length; i++) h = hash32(h, text.charCodeAt(i))
  return h
}

/** Uniform in [0, 1). */
export function uniform(key: number, index: number): number {
  return hash32(key, index) / 4294967296
}

// Periods in minutes, from about 3 years to 15 minutes. Amplitudes grow with the square root of the period,
// as in a random walk, so that hourly, daily and monthly changes all have plausible sizes.
const octaves = [1_500_000, 525_000, 180_000, 64_000, 23_000, 8_200, 2_900, 1_050, 380, 135, 50, 15].map(
  // 1.92 is measured: it brings the standard deviation over one day to 1.
  (periodMinutes) => ({ periodMinutes, amplitude: 1.92 * Math.sqrt(periodMinutes / 1440) }),
)

/**
 * Smooth noise that looks like a random walk: a pure function of key and time, so history never ends and
 * never changes. The change over one day has a standard deviation of about 1. Caches the last cell of each
 * octave, because charts read consecutive times and most octaves stay in their cell.
 */
export function createNoise(key: number): (unixSeconds: number) => number {
  const seen = octaves.map(() => ({ cell: NaN, a: 0, b: 0 }))
  return (unixSeconds) => {
    const minutes = unixSeconds / 60
    let sum = 0
    for (let i = 0; i < octaves.length; i++) {
      const { periodMinutes, amplitude } = octaves[i]!
      const last = seen[i]!
      const x = minutes / periodMinutes
      const cell = Math.floor(x)
      if (cell !== last.cell) {
        last.a = uniform(key + i * 7919, cell)
        last.b = uniform(key + i * 7919, cell + 1)
        last.cell = cell
      }
      const f = x - cell
      sum += amplitude * (last.a + (last.b - last.a) * (f * f * (3 - 2 * f)) - 0.5)
    }
    return sum
  }
}
