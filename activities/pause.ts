import { setTimeout as sleep } from 'node:timers/promises'
import type { ActivityDeps } from './deps.ts'

/** Pauses a loop, until its worker begins to end at the latest. */
export const pause = async (
  { wait, ending }: Pick<ActivityDeps, 'wait' | 'ending'>,
  ms: number,
): Promise<void> =>
  wait ? await wait(ms) : await sleep(ms, undefined, ending && { signal: ending }).catch(() => {})
