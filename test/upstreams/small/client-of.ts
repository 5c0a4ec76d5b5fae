import { onTestFinished } from 'vitest'
import { createHttpClient } from '../../../activities/http.ts'
import type { SourceFailure } from '../../../activities/source-gate.ts'

/** A client without limits of its own, and what its gate is told of failures. */
export function clientOf(source: string, url: string) {
  const failures: SourceFailure[] = []
  const gate = {
    admit: async () => {},
    succeeded: async () => {},
    failed: async (failure: SourceFailure) => void failures.push(failure),
  }
  const http = createHttpClient({ gate, sources: { [source]: { url } }, random: () => 0 })
  onTestFinished(() => http.close())
  return { http, failures }
}
