import { createHttpClient } from '../../activities/http.ts'
import type { HttpClient } from '../../activities/http-client.ts'

/** The client without an allowance: that of the sources has tests of its own; here nobody waits for a turn. */
export function freeHttp(sources: Record<string, { url: string }>): HttpClient {
  const gate = { admit: async () => {}, succeeded: async () => {}, failed: async () => {} }
  return createHttpClient({ gate, sources, random: () => 0 })
}
