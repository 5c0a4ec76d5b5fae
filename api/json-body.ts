import { badRequest } from './errors.ts'

const MAX_DEPTH = 32
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype'])
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Parses a request body; an empty one gives undefined. Throws 400 for invalid JSON or UTF-8, nesting deeper
 * than 32, duplicate keys, keys such as `__proto__`, and text that Postgres or JSON cannot carry.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  try {
    const text = utf8.decode(bytes)
    const { depth, keys } = measure(text)
    if (depth > MAX_DEPTH) throw badRequest('Invalid JSON body')
    const value: unknown = JSON.parse(text)
    if (countKeys(value) !== keys) throw badRequest('Invalid JSON body')
    return value
  } catch {
    throw badRequest('Invalid JSON body')
  }
}

/** Measures nesting and counts the keys in the text: outside of strings, a colon occurs only after a key. */
function measure(text: string): { depth: number; keys: number } {
  let depth = 0
  let deepest = 0
  let keys = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const character = text[i]
    if (inString) {
      if (character === '\\') i++
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === ':') keys++
    else if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth)
    else if (character === '}' || character === ']') depth--
  }
  return { depth: deepest, keys }
}

function countKeys(value: unknown): number {
  if (typeof value === 'string') {
    if (!value.isWellFormed() || value.includes('\0')) throw badRequest('Invalid JSON body')
    return 0
  }
  if (typeof value !== 'object' || value === null) return 0
  if (Array.isArray(value)) return value.reduce<number>((total, item) => total + countKeys(item), 0)
  return Object.entries(value).reduce((total, [key, item]) => {
    if (FORBIDDEN_KEYS.has(key)) throw badRequest('Invalid JSON body')
    return total + 1 + countKeys(item)
  }, 0)
}
