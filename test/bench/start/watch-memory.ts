import { setTimeout as sleep } from 'node:timers/promises'
import { memoryMbOf } from '../shared/memory.ts'
import { descendants, readProcesses } from '../shared/processes.ts'

/** Memory of a process and all that it started, in MB. */
export interface MemoryFigures {
  peak: number
  last: number
}

/** Reads the memory of a process and all that it started, once a second until `end`. */
export function watchMemory(pid: number): { end: () => Promise<MemoryFigures> } {
  const figures: MemoryFigures = { peak: 0, last: 0 }
  const ending = new AbortController()
  const watching = (async () => {
    while (!ending.signal.aborted) {
      const each = descendants(pid, readProcesses()).map((one) => memoryMbOf(one).catch(() => 0))
      figures.last = (await Promise.all(each)).reduce((a, b) => a + b, 0)
      figures.peak = Math.max(figures.peak, figures.last)
      await sleep(1_000, undefined, { signal: ending.signal }).catch(() => {})
    }
    return figures
  })()
  return {
    end: () => {
      ending.abort()
      return watching
    },
  }
}
