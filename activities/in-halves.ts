/**
 * Does work on many items at once. When it fails, does it on each half, down to single items, so that an item
 * that fails stops no other. `work` must undo what it did before it fails.
 */
export async function inHalves<T>(
  items: readonly T[],
  work: (items: readonly T[]) => Promise<void>,
  onFailure: (item: T, error: unknown) => unknown,
  /** Whether another half may succeed. Other errors are thrown at once. */
  isOfItems: (error: unknown) => boolean = () => true,
): Promise<void> {
  if (items.length === 0) return
  try {
    await work(items)
  } catch (error) {
    if (!isOfItems(error)) throw error
    if (items.length === 1) return void (await onFailure(items[0]!, error))
    const middle = items.length >> 1
    await inHalves(items.slice(0, middle), work, onFailure, isOfItems)
    await inHalves(items.slice(middle), work, onFailure, isOfItems)
  }
}
