import { badRequest } from './errors.ts'

export type RawQuery = Record<string, string | string[]>

/**
 * Decodes a query string as forms do: `+` is a space. A repeated name gives an array, which no parameter
 * accepts. Throws 400 for escapes that are not UTF-8 and for NUL.
 */
export function parseQueryString(text: string): RawQuery {
  const query: RawQuery = Object.create(null)
  if (text === '') return query
  for (const part of text.split('&')) {
    if (part === '') continue
    const equals = part.indexOf('=')
    const name = decode(equals < 0 ? part : part.slice(0, equals))
    const value = equals < 0 ? '' : decode(part.slice(equals + 1))
    const earlier = query[name]
    query[name] = earlier === undefined ? value : [earlier, value].flat()
  }
  return query
}

function decode(text: string): string {
  if (!/[%+\0]/.test(text)) return text
  let decoded: string
  try {
    decoded = decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw badRequest('Invalid query string')
  }
  if (decoded.includes('\0')) throw badRequest('Invalid query string')
  return decoded
}
