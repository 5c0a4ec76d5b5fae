/** Lists of up to so many items stay whole: the numbers of a point belong together. */
const WHOLE = 4
/** Items that are left of other lists, and of lists of objects inside them. */
const LEFT = 2
const LEFT_INSIDE = 1
/** A map with more keys than any object has fields, such as rates by currency. */
const MOST_FIELDS = 60

/** The answer with the first items of its longer lists and maps, so that a page can show it. */
export function cutLists(value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) {
    const hasObjects = value.some((item) => typeof item === 'object' && item !== null && !Array.isArray(item))
    const left = depth > 0 && hasObjects ? LEFT_INSIDE : LEFT
    const kept = value.length > (hasObjects ? left : WHOLE) ? value.slice(0, left) : value
    return kept.map((item) => cutLists(item, depth + 1))
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const kept = entries.length > MOST_FIELDS ? entries.slice(0, LEFT) : entries
  return Object.fromEntries(kept.map(([name, part]) => [name, cutLists(part, depth)]))
}
