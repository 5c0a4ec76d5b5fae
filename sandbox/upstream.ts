export type UpstreamRequest = {
  method: string
  /** Path below the upstream's base, in segments. */
  path: string[]
  /** Path and query exactly as sent, because exchanges sign them. */
  target: string
  query: URLSearchParams
  /** Names in lower case. */
  headers: Record<string, string | undefined>
  /** Empty for a GET. */
  bodyText: string
  /** Current time in Unix seconds. */
  now: number
}

/** A body of text or bytes is sent unchanged, anything else as JSON. `headers` may set the content type. */
export type UpstreamReply = { status: number; body: unknown; headers?: Record<string, string> }

/** One simulated upstream. Answers a request below its base as the real service would. */
export type Upstream = (request: UpstreamRequest) => UpstreamReply | Promise<UpstreamReply>

export const ok = (body: unknown): UpstreamReply => ({ status: 200, body })

/** Reads a number from the query, capped at `max`, or the default. */
export function numberOf(query: URLSearchParams, name: string, limits: { or: number; max: number }): number {
  const value = Number(query.get(name) ?? limits.or)
  return Number.isFinite(value) && value >= 0 ? Math.min(Math.floor(value), limits.max) : limits.or
}

export const isoMs = (seconds: number): string => new Date(seconds * 1000).toISOString()
export const isoSeconds = (seconds: number): string => isoMs(Math.floor(seconds)).replace('.000Z', 'Z')
