/** Merges ordered streams by `compare`. Of equal items, the one of the earlier stream comes first. */
export async function* mergeStreams<T>(
  streams: readonly AsyncGenerator<T>[],
  compare: (one: T, other: T) => number,
): AsyncGenerator<{ item: T; stream: number }> {
  const heads: IteratorResult<T>[] = []
  // One after the other, because the streams share a connection.
  for (const stream of streams) heads.push(await stream.next())
  for (;;) {
    let first = -1
    heads.forEach((head, index) => {
      if (!head.done && (first < 0 || compare(head.value, heads[first]!.value as T) < 0)) first = index
    })
    if (first < 0) return
    yield { item: heads[first]!.value as T, stream: first }
    heads[first] = await streams[first]!.next()
  }
}
