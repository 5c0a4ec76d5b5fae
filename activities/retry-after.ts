/** Longer waits are cut to this. */
const LONGEST_MS = 3_600_000

/**
 * The Retry-After header (seconds or an HTTP date) in milliseconds from `nowMs`, capped. null: no such header
 */
export function retryAfterMs(headers: Record<string, string>, nowMs: number): number | null {
  const text = headers['retry-after']?.trim()
  if (text === undefined) return null
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), LONGEST_MS)
}
