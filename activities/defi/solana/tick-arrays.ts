import type { ReadonlyUint8Array } from '@solana/codecs'
import { derivedAddress, keyBytes } from './codecs.ts'

/** Where a program keeps a tick of a pool. */
export interface TickPlace {
  tick: number
  /** address of the array that has the tick, and its place there */
  array: string
  index: number
}

/** The place of a tick in the arrays of a pool, which are found by their first tick. */
export async function placeOf(
  tick: number,
  of: {
    program: string
    poolAddress: string
    tickSpacing: number
    ticksOfArray: number
    seedOf: (start: number) => string | ReadonlyUint8Array
  },
): Promise<TickPlace> {
  const { program, poolAddress, tickSpacing, ticksOfArray, seedOf } = of
  const span = tickSpacing * ticksOfArray
  const start = Math.floor(tick / span) * span
  const array = await derivedAddress(program, ['tick_array', keyBytes(poolAddress), seedOf(start)])
  return { tick, array, index: (tick - start) / tickSpacing }
}
