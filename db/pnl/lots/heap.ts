export interface Heap<T> {
  push: (item: T) => void
  /** Returns the first item without removing it. */
  peek: () => T | undefined
  pop: () => T | undefined
  items: () => readonly T[]
}

/** A binary heap by `order` (negative: a before b). Adding and removing take logarithmic time. */
export function createHeap<T>(order: (a: T, b: T) => number): Heap<T> {
  const heap: T[] = []
  function swap(a: number, b: number): void {
    const item = heap[a]!
    heap[a] = heap[b]!
    heap[b] = item
  }
  function rise(start: number): void {
    let at = start
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (order(heap[at]!, heap[parent]!) >= 0) return
      swap(at, parent)
      at = parent
    }
  }
  function sink(start: number): void {
    let at = start
    for (;;) {
      let first = at
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < heap.length && order(heap[child]!, heap[first]!) < 0) first = child
      }
      if (first === at) return
      swap(at, first)
      at = first
    }
  }
  return {
    push(item) {
      heap.push(item)
      rise(heap.length - 1)
    },
    peek: () => heap[0],
    pop() {
      const first = heap[0]
      const last = heap.pop()
      if (heap.length > 0) {
        heap[0] = last!
        sink(0)
      }
      return first
    },
    items: () => heap,
  }
}
