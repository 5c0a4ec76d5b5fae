import type { ReadonlyUint8Array } from '@solana/codecs'
import { keyBytes } from './codecs.ts'
import type { Bound, Range } from './concentrated-liquidity.ts'
import type { SlotReader } from './slot-reader.ts'

/** How a program keeps the ticks of its pools: in arrays, which are found by their first tick. */
export interface TickArrays {
  program: string
  ticksOfArray: number
  seedOf: (start: number) => string | ReadonlyUint8Array
  sqrtPriceAt: (tick: number) => bigint
  /** What was earned outside of the tick with an index in an array; null: the tick is not in use. */
  outsideOf: (array: { address: string; index: number }, reader: SlotReader) => Promise<Bound['outside']>
}

interface TickPool {
  address: string
  tickSpacing: number
}

/** The range of a position. Without liquidity it earns nothing, and its ticks need not exist. */
export async function rangeOf(
  position: { tickLowerIndex: number; tickUpperIndex: number; liquidity: bigint },
  { arrays, pool, reader }: { arrays: TickArrays; pool: TickPool; reader: SlotReader },
): Promise<Range> {
  const { program, ticksOfArray, seedOf, sqrtPriceAt, outsideOf } = arrays
  const span = pool.tickSpacing * ticksOfArray
  async function boundAt(tick: number): Promise<Bound> {
    const end = { tick, sqrtPrice: sqrtPriceAt(tick) }
    if (position.liquidity === 0n) return { ...end, outside: null }
    const start = Math.floor(tick / span) * span
    const address = await reader.derived(program, ['tick_array', keyBytes(pool.address), seedOf(start)])
    return { ...end, outside: await outsideOf({ address, index: (tick - start) / pool.tickSpacing }, reader) }
  }
  const { tickLowerIndex, tickUpperIndex } = position
  const [lower, upper] = await Promise.all([boundAt(tickLowerIndex), boundAt(tickUpperIndex)])
  return { lower, upper }
}
