/**
 * Yields the result of `read` for each item in order; reads the next one while the caller handles the last.
 */
export async function* readAhead<Item, Result>(
  items: Iterable<Item>,
  read: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  let ahead: Promise<Result> | null = null
  for (const item of items) {
    const next = read(item)
    // Awaited later, or never if the caller stops early: until then a failure must not be an unhandled
    // rejection.
    next.catch(() => {})
    if (ahead) yield await ahead
    ahead = next
  }
  if (ahead) yield await ahead
}
