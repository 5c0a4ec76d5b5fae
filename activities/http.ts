import type { z } from 'zod'

/** A request to one source. `schema` checks the answer where it enters; numbers too big for a double stay text. */
export interface SourceRequest<T> {
  source: string
  url: string
  headers?: Record<string, string>
  /** JSON body; its presence makes the request a POST. */
  body?: unknown
  schema: z.ZodType<T>
}

/** The one outbound client. Throws SourceUnavailable (retry) or SourceRejected (do not). */
export interface HttpClient {
  fetchJson: <T>(request: SourceRequest<T>) => Promise<T>
}
