import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Gives the memory back that starting took. V8 keeps the pages of its young generation even when they are empty: an API
 * that waits takes 140 instead of 210 MB. Takes 0.3 seconds of CPU.
 */
export function freeStartMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: { type: 'major'; flavor: 'last-resort' }) => void
  setFlagsFromString('--no-expose-gc')
  collect({ type: 'major', flavor: 'last-resort' })
}
