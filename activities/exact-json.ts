import { compare, decimal } from '../db/values/decimal.ts'

/**
 * JSON.parse without loss of digits: a number that a double cannot hold exactly comes back as a string with
 * its source text. Throws SyntaxError, or RangeError when nested deeper than 500 levels.
 *
 * V8 13.6 (Node 24) can misread a key that has an escape, after an object with a backslash in the key at the same
 * place. No source escapes the names that are read here. The shortest case, of which the second key reads as `\`:
 * JSON.parse('{"h":[],"\\\\":0}'); JSON.parse('{"h":1,"\\"":2}'). https://github.com/nodejs/node/issues/63785
 */
export function parseExactJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  const quoted = quoteInexact(text)
  return quoted === text ? value : JSON.parse(quoted)
}

const QUOTE = 0x22
const MINUS = 0x2d
/** More than any real answer needs. */
const DEEPEST = 500

/**
 * Puts quotes around each number of a valid document that a double cannot hold. A JSON.parse reviver also
 * gets the source text, but takes ten times as long, and V8 sometimes does not pass it.
 */
function quoteInexact(text: string): string {
  let quoted = ''
  let copied = 0
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) i = endOfString(text, i)
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > DEEPEST) throw new RangeError('JSON nested too deeply')
    } else if (code === 0x5d || code === 0x7d) depth--
    else if (code === MINUS || (code >= 0x30 && code <= 0x39)) {
      const start = i
      while (isOfNumber(text.charCodeAt(i + 1))) i++
      const source = text.slice(start, i + 1)
      if (isExactNumber(source)) continue
      quoted += `${text.slice(copied, start)}"${source}"`
      copied = i + 1
    }
  }
  return quoted + text.slice(copied)
}

/** Position of the closing quote of the string that opens at `start`. */
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

/**
 * Fifteen digits always survive a double. Longer numbers and exponents are converted there and back and
 * compared.
 */
function isExactNumber(source: string): boolean {
  if (source.length <= 15 && !/e/i.test(source)) return true
  const value = Number(source)
  return String(value) === source || (Number.isFinite(value) && sameValue(String(value), source))
}

function sameValue(a: string, b: string): boolean {
  try {
    return compare(decimal(a), decimal(b)) === 0
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
