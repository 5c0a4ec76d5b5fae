import { setTimeout as sleep } from 'node:timers/promises'

/** What a loop of an activity waits by. */
export interface LoopDeps {
  /** Aborted when the worker begins to end, and with it the loops. Absent: loops end by their time alone. */
  ending?: AbortSignal
  /** Pauses for milliseconds on a clock that is not the machine's. */
  wait?: (ms: number) => Promise<void>
}

/** Pauses a loop, until its worker begins to end at the latest. */
export const pause = async ({ wait, ending }: LoopDeps, ms: number): Promise<void> =>
  wait ? await wait(ms) : await sleep(ms, undefined, ending && { signal: ending }).catch(() => {})
