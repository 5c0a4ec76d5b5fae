import { add, compare, divide, isZero, multiply, sign, subtract, ZERO } from '../../values/decimal.ts'
import type { Decimal } from '../../values/decimal.ts'
import type { OpenLot } from './coin-state.ts'

/** Which lots a sale uses first: a share of all, the oldest, the newest or the dearest. */
export const COST_METHODS = ['average', 'fifo', 'lifo', 'hifo'] as const
export type CostMethod = (typeof COST_METHODS)[number]

/** A quantity acquired at once. */
export type Lot = Omit<OpenLot, 'unitCost'>

export interface LotPool {
  quantity: () => Decimal
  cost: () => Decimal
  add: (lot: Lot) => void
  /** Takes out `quantity` (positive). The part that the pool does not hold is `missing` and has no cost. */
  take: (quantity: Decimal) => { lots: Lot[]; cost: Decimal; missing: Decimal }
  /** The open lots in the order of arrival, to create the pool again. Null: its lots are one. */
  open: () => OpenLot[] | null
}

interface QueuedLot extends OpenLot {
  /** order of arrival: breaks ties between parts of one lot that were carried over at different times */
  entry: number
}

const byDate = (a: Lot, b: Lot) => a.atMs - b.atMs || a.seq - b.seq
const byAge = (a: QueuedLot, b: QueuedLot) => byDate(a, b) || a.entry - b.entry

const ORDERS: Record<Exclude<CostMethod, 'average'>, (a: QueuedLot, b: QueuedLot) => number> = {
  fifo: byAge,
  lifo: (a, b) => byAge(b, a),
  hifo: (a, b) => compare(b.unitCost, a.unitCost) || byAge(a, b),
}

/**
 * The lots of one coin. Cost taken out is rounded to 30 places, and the last taker gets the rest, so an empty
 * pool has a cost of exactly zero. A pool created from the open lots of another one behaves as that one
 * would.
 */
export function createLotPool(method: CostMethod, lots: readonly OpenLot[] = []): LotPool {
  return method === 'average' ? createAveragePool(lots) : createQueuedPool(method, lots)
}

/** Merges all lots into one with the date of the oldest. */
function createAveragePool(lots: readonly OpenLot[]): LotPool {
  let held: Lot | null = null
  const pool: LotPool = {
    quantity: () => held?.quantity ?? ZERO,
    cost: () => held?.cost ?? ZERO,
    add(lot) {
      if (isZero(lot.quantity)) return
      if (!held) held = lot
      else {
        const { atMs, seq } = byDate(lot, held) < 0 ? lot : held
        held = { atMs, seq, quantity: add(held.quantity, lot.quantity), cost: add(held.cost, lot.cost) }
      }
    },
    take(quantity) {
      if (!held) return { lots: [], cost: ZERO, missing: quantity }
      const { taken, rest, missing } = splitLot(held, quantity)
      held = rest
      return { lots: [taken], cost: taken.cost, missing }
    },
    open: () => null,
  }
  for (const lot of lots) pool.add(lot)
  return pool
}

function createQueuedPool(method: keyof typeof ORDERS, lots: readonly OpenLot[]): LotPool {
  const queue = createHeap<QueuedLot>(ORDERS[method])
  let held = ZERO
  let basis = ZERO
  let entries = 0
  const enter = (lot: OpenLot): void => {
    queue.push({ ...lot, entry: entries++ })
    held = add(held, lot.quantity)
    basis = add(basis, lot.cost)
  }
  for (const lot of lots) enter(lot)
  return {
    quantity: () => held,
    cost: () => basis,
    add(lot) {
      if (!isZero(lot.quantity)) enter({ ...lot, unitCost: divide(lot.cost, lot.quantity) })
    },
    take(quantity) {
      const lots: Lot[] = []
      let cost = ZERO
      let missing = quantity
      for (let first = queue.peek(); first && sign(missing) > 0; first = queue.peek()) {
        const split = splitLot(first, missing)
        lots.push(split.taken)
        cost = add(cost, split.taken.cost)
        missing = split.missing
        // The rest keeps the lot's unit cost and so its place in the queue, so it can change in place.
        if (split.rest) Object.assign(first, split.rest)
        else queue.pop()
      }
      held = subtract(held, subtract(quantity, missing))
      basis = subtract(basis, cost)
      return { lots, cost, missing }
    },
    open: () => queue.items().toSorted((a, b) => a.entry - b.entry),
  }
}

function splitLot(lot: Lot, quantity: Decimal): { taken: Lot; rest: Lot | null; missing: Decimal } {
  const left = subtract(lot.quantity, quantity)
  if (sign(left) <= 0) return { taken: { ...lot }, rest: null, missing: subtract(quantity, lot.quantity) }
  const cost = divide(multiply(lot.cost, quantity), lot.quantity)
  return {
    taken: { ...lot, quantity, cost },
    rest: { ...lot, quantity: left, cost: subtract(lot.cost, cost) },
    missing: ZERO,
  }
}

interface Heap<T> {
  push: (item: T) => void
  /** Returns the first item without removing it. */
  peek: () => T | undefined
  pop: () => T | undefined
  items: () => readonly T[]
}

/** A binary heap by `order` (negative: a before b). Adding and removing take logarithmic time. */
function createHeap<T>(order: (a: T, b: T) => number): Heap<T> {
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
