import type { z } from 'zod'

/**
 * The only client for requests to sources. Throws SourceUnavailable (retry) or SourceRejected (do not retry).
 */
export interface HttpClient {
  fetchJson: <T>(request: SourceRequest<T>) => Promise<T>
  /** One attempt and its answer, whatever the status: for libraries that handle errors themselves. */
  send: (request: RawRequest) => Promise<Answer>
  fetchText: <T>(request: TextRequest<T>) => Promise<T>
  close: () => Promise<void>
}

/**
 * A request to one source. `schema` validates the answer. Numbers that a double cannot hold arrive as text.
 */
export interface SourceRequest<T> {
  source: string
  url: string
  headers?: Record<string, string>
  /** A key inside the URL. Messages and recordings show `KEY` instead, also where the answer repeats it. */
  secret?: string
  /** Its path with `*` for ids that look like words: `/coins/*`. null: its answers have no common shape. */
  operation?: string | null
  /** JSON body; its presence makes the request a POST. */
  body?: unknown
  schema: z.ZodType<T>
  /** Detects errors in a body with status 200; null if there is none. `later`: worth a retry. */
  refuse?: (body: unknown) => Refusal | null
  /** Reads from headers of the vendor's own how long to wait. null: Retry-After says it */
  waitMs?: (headers: Record<string, string>) => number | null
  /** Limit of one attempt, for a source that answers late. */
  deadlineMs?: number
}

/** In the base URL of a source: the name of a network, for a vendor with a host for each. */
export const NETWORK_IN_URL = '{network}'

export interface Refusal {
  reason: string
  later: boolean
  /** The plan or key does not allow the question. */
  plan?: boolean
  /** How long until it is worth a retry. */
  waitMs?: number
}

/** A request whose answer is not JSON, such as a feed. */
export interface TextRequest<T> {
  source: string
  url: string
  headers?: Record<string, string>
  /** hex: the body as hexadecimal digits, for one that is not text */
  as?: 'hex'
  /** Parses an answer with any status except 408, 429 and 5xx. Throws SourceUnavailable or SourceRejected. */
  read: (answer: Answer) => T
}

export interface RawRequest {
  source: string
  url: string
  method: string
  headers: Record<string, string>
  /** Body, sent unchanged. */
  text?: string
}

/** The complete answer of a source. Header names are in lower case. */
export interface Answer {
  status: number
  headers: Record<string, string>
  text: string
}
