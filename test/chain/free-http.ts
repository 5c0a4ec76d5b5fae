import { createHttpClient } from '../../activities/http.ts'
import type { HttpClient } from '../../activities/http-client.ts'

/** An HTTP client without rate limits, so tests do not wait. The limits have their own tests. */
export function freeHttp(sources: Record<string, { url: string }>): HttpClient {
  const gate = { admit: async () => {}, succeeded: async () => {}, failed: async () => {} }
  return createHttpClient({ gate, sources, random: () => 0 })
}
