import { add, compare, divide, isZero, multiply, sign, subtract, ZERO } from '../../db/values/decimal.ts'
import type { Decimal } from '../../db/values/decimal.ts'
import { createHeap } from './heap.ts'

export const COST_METHODS = ['average', 'fifo', 'lifo', 'hifo'] as const
export type CostMethod = (typeof COST_METHODS)[number]

/** A quantity acquired at once. `cost` is the whole cost, never a quotient. */
export interface Lot {
  atMs: number
  seq: number
  quantity: Decimal
  cost: Decimal
}

export interface LotPool {
  quantity: () => Decimal
  cost: () => Decimal
  add: (lot: Lot) => void
  /** Takes `quantity` (positive) out. What the pool does not hold is `missing` and has no cost. */
  take: (quantity: Decimal) => { lots: Lot[]; cost: Decimal; missing: Decimal }
}

interface QueuedLot extends Lot {
  unitCost: Decimal
  /** how many lots came into the pool before: parts of one lot, carried over at different times, have one date */
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
 * The lots of one coin. Basis taken is rounded to 30 places and the last taker gets the rest,
 * so a pool without quantity has a cost of exactly zero.
 */
export function createLotPool(method: CostMethod): LotPool {
  return method === 'average' ? createAveragePool() : createQueuedPool(method)
}

/** All lots melt into one, dated by the oldest of them. */
function createAveragePool(): LotPool {
  let held: Lot | null = null
  return {
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
  }
}

function createQueuedPool(method: keyof typeof ORDERS): LotPool {
  const queue = createHeap<QueuedLot>(ORDERS[method])
  let held = ZERO
  let basis = ZERO
  let entries = 0
  return {
    quantity: () => held,
    cost: () => basis,
    add(lot) {
      if (isZero(lot.quantity)) return
      queue.push({ ...lot, unitCost: divide(lot.cost, lot.quantity), entry: entries++ })
      held = add(held, lot.quantity)
      basis = add(basis, lot.cost)
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
        // The rest keeps the lot's unit cost, and with it its place: it is changed without leaving the queue.
        if (split.rest) Object.assign(first, split.rest)
        else queue.pop()
      }
      held = subtract(held, subtract(quantity, missing))
      basis = subtract(basis, cost)
      return { lots, cost, missing }
    },
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
