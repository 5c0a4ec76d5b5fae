import { setTimeout as sleep } from 'node:timers/promises'
import type { ExportSummary } from './run-export.ts'

/**
 * Exports again and again until `signal` aborts. Exports begin at multiples of `everyMs` of UTC, so that one
 * begins when a day closes; one that takes longer leaves out the next.
 */
export async function followExports(options: {
  run: () => Promise<ExportSummary>
  everyMs: number
  tell: (summary: ExportSummary) => void
  failed: (error: unknown) => void
  signal?: AbortSignal
}): Promise<void> {
  const { run, everyMs, tell, failed, signal } = options
  while (!signal?.aborted) {
    try {
      tell(await run())
    } catch (error) {
      failed(error)
    }
    await sleep(everyMs - (Date.now() % everyMs), undefined, { signal }).catch(() => {})
  }
}
