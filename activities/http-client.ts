import type { z } from 'zod'

/** The one outbound client. Throws SourceUnavailable (retry) or SourceRejected (do not). */
export interface HttpClient {
  fetchJson: <T>(request: SourceRequest<T>) => Promise<T>
  /** One try and its answer, whatever the status: for a library that reads errors of its own. */
  send: (request: RawRequest) => Promise<Answer>
  fetchText: <T>(request: TextRequest<T>) => Promise<T>
  close: () => Promise<void>
}

/** A request to one source. `schema` checks the answer where it enters; numbers too big for a double stay text. */
export interface SourceRequest<T> {
  source: string
  url: string
  headers?: Record<string, string>
  /** Key that stands in the URL: messages and recordings have `KEY` for it, also where the answer repeats it. */
  secret?: string
  /** JSON body; its presence makes the request a POST. */
  body?: unknown
  schema: z.ZodType<T>
  /** Errors that come with status 200: what is wrong with this body, or null. `later`: worth another try. */
  refuse?: (body: unknown) => Refusal | null
}

export interface Refusal {
  reason: string
  later: boolean
}

/** A request whose answer is no JSON: feeds and other documents. */
export interface TextRequest<T> {
  source: string
  url: string
  headers?: Record<string, string>
  /** Reads an answer of any status but 408, 429 and 5xx. Throws SourceUnavailable or SourceRejected. */
  read: (answer: Answer) => T
}

export interface RawRequest {
  source: string
  url: string
  method: string
  headers: Record<string, string>
  /** Body as it is. */
  text?: string
}

/** What a source answered, whole. Names of headers are in lower case. */
export interface Answer {
  status: number
  headers: Record<string, string>
  text: string
}
