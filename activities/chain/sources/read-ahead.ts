/** What `read` gives for each item, in their order; the next one is read while the last one is worked on. */
export async function* readAhead<Item, Result>(
  items: Iterable<Item>,
  read: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  let ahead: Promise<Result> | null = null
  for (const item of items) {
    const next = read(item)
    // It is awaited later, or never when the caller has enough: until then a failure is not an unhandled one.
    next.catch(() => {})
    if (ahead) yield await ahead
    ahead = next
  }
  if (ahead) yield await ahead
}
