import { compare, decimal } from '../db/values/decimal.ts'

/**
 * JSON.parse that loses no digit: a number stays a number only where a double holds it exactly as it was written,
 * else its source text comes back as a string. Throws SyntaxError, or RangeError on absurd nesting.
 */
export function parseExactJson(text: string): unknown {
  // A reviver that is shown the source makes parsing ten times as long, and hardly a document needs it.
  const value: unknown = JSON.parse(text)
  return isExact(text) ? value : JSON.parse(text, exactNumber)
}

const QUOTE = 0x22
/** Longer than any answer nests, and far from where the reviver runs out of stack. */
const DEEPEST = 500

/** Whether each number of a valid document is surely read as it is written. False may be wrong. */
function isExact(text: string): boolean {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) i = endOfString(text, i)
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > DEEPEST) return false
    } else if (code === 0x5d || code === 0x7d) depth--
    else if (code >= 0x30 && code <= 0x39) {
      const start = i
      while (isOfNumber(text.charCodeAt(i + 1))) i++
      if (!isExactNumber(text.slice(start, i + 1))) return false
    }
  }
  return true
}

/** Position of the quote that closes the string which opens at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end - 1
    while (text[before] === '\\') before--
    if ((end - before) % 2 === 1) return end
  }
}

/** A digit, `.`, `+`, `-`, `e` or `E`. */
function isOfNumber(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    code === 0x2e ||
    code === 0x2b ||
    code === 0x2d ||
    code === 0x65 ||
    code === 0x45
  )
}

/** Fifteen digits survive a double; of more, and of exponents, what matters is whether they come back the same. */
function isExactNumber(source: string): boolean {
  return (source.length <= 15 && !/e/i.test(source)) || String(Number(source)) === source
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
