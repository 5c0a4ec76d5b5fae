import { compare, decimal } from '../db/values/decimal.ts'

/**
 * JSON.parse that loses no digit: a number stays a number only where a double holds it exactly as it was written,
 * else its source text comes back as a string. Throws SyntaxError, or RangeError on absurd nesting.
 */
export function parseExactJson(text: string): unknown {
  return JSON.parse(text, exactNumber)
}

/** The third argument of a reviver, which TypeScript's library does not declare yet. */
interface ReviverContext {
  source?: string
}

function exactNumber(_key: string, value: unknown, context?: ReviverContext): unknown {
  if (typeof value !== 'number') return value
  const source = context?.source
  if (source === undefined || String(value) === source) return value
  return Number.isFinite(value) && sameValue(String(value), source) ? value : source
}

function sameValue(a: string, b: string): boolean {
  try {
    return compare(decimal(a), decimal(b)) === 0
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
