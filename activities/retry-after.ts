/** A source that asks for more is asked again after this long. */
const LONGEST_MS = 3_600_000

/** The Retry-After header in milliseconds from `nowMs`: seconds or an HTTP date, capped; null without one. */
export function retryAfterMs(headers: Record<string, string>, nowMs: number): number | null {
  const text = headers['retry-after']?.trim()
  if (text === undefined) return null
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), LONGEST_MS)
}
