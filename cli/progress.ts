import { duration } from '../db/values/duration.ts'
import { secondsLeft } from '../db/values/seconds-left.ts'

const WIDTH = 24
/** From then on the pace says how long the rest takes. */
const SHORTEST_S = 3

export interface Progress {
  /** `share`: 0 to 1; null: the total is unknown. */
  show: (share: number | null, text: string) => void
  /** Clears the line. */
  end: () => void
}

/**
 * Shows progress and the time left in one line on stderr if that is a terminal; otherwise prints nothing. `nowMs`: a
 * clock that never goes back.
 */
export function createProgress(
  stream: NodeJS.WriteStream = process.stderr,
  nowMs: () => number = () => performance.now(),
): Progress {
  const startMs = nowMs()
  let last = ''
  const write = (line: string) => {
    if (!stream.isTTY || line === last) return
    stream.write(`\r\u001B[K${line.slice(0, Math.max(20, stream.columns - 1))}`)
    last = line
  }
  function rest(share: number): string {
    const seconds = (nowMs() - startMs) / 1_000
    const left = seconds < SHORTEST_S || share >= 1 ? null : secondsLeft(share, seconds)
    return left === null ? '' : `, about ${duration(left)} left`
  }
  return {
    show: (share, text) => write(share === null ? text : `${bar(share)} ${text}${rest(share)}`),
    end: () => write(''),
  }
}

/** `[#######.......]  50 %` */
export function bar(share: number): string {
  const part = Math.min(1, Math.max(0, share))
  const full = Math.round(part * WIDTH)
  return `[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}] ${String(Math.floor(part * 100)).padStart(3)} %`
}
