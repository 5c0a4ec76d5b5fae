import { onTestFinished } from 'vitest'

/** Addresses of the chains in memory. */
export const [ALICE, BOB, TOKEN] = ['a1', 'b0', 'c0'].map((byte) => `0x${byte.repeat(20)}`) as [
  string,
  string,
  string,
]

/** Stops a double at the end of the running test. */
export function stopLater<T extends { stop: () => Promise<void> }>(double: T): T {
  onTestFinished(double.stop)
  return double
}
