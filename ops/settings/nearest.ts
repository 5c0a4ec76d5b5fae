/**
 * Returns the closest name, with at most a third of its letters and `most` letters wrong; null: none is
 * close.
 */
export function nearest(word: string, names: readonly string[], most = Infinity): string | null {
  const allowed = (name: string) => Math.min(most, Math.max(1, Math.floor(name.length / 3)))
  // Every command compares all settings, and the distance is at least the difference in length.
  const near = names.filter((name) => Math.abs(name.length - word.length) <= allowed(name))
  const best = measured(word, near).find(({ name, distance }) => distance <= allowed(name))
  return best?.name ?? null
}

/** Returns the names with the closest ones first. */
export const byDistance = (word: string, names: readonly string[]): string[] =>
  measured(word, names).map(({ name }) => name)

const measured = (word: string, names: readonly string[]) =>
  names
    .map((name) => ({ name, distance: distanceOf(word, name) }))
    .toSorted((a, b) => a.distance - b.distance)

/** Counts the letters to insert, delete, replace or swap with their neighbour. */
function distanceOf(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        rows[i - 1]![j]! + 1,
        row[j - 1]! + 1,
        rows[i - 1]![j - 1]! + (same ? 0 : 1),
        swapped ? rows[i - 2]![j - 2]! + 1 : Infinity,
      )
    }
    rows.push(row)
  }
  return rows[a.length]![b.length]!
}
