import { hash } from 'node:crypto'
import { parseQueryString } from '../api/query-string.ts'

/** The resource of a call, independent of how the request is spelled. */
export interface Resource {
  /**
   * Absolute URL for the payer and the facilitator. It has no share token or passcode, and no query if the
   * query would make headers longer than clients read or payments longer than the gateway accepts.
   */
  url: string
  /** Digest of everything that shapes the answer: the same key means the same answer. */
  key: Buffer
}

/** Characters. The URL travels in base64 beside 1 KB of other fields, and a payment may have 8 KB. */
const MAX_SEARCH = 2_048
const SECRETS = new Set(['shareToken', 'passcode'])

/**
 * Returns the resource of a request. `params` are the router's, `queryString` is as received. The origin is
 * the configured one, whatever the Host header says.
 */
export function resourceOf(request: {
  publicUrl: string
  /** Path template of the route, parameters in braces. */
  template: string
  params: Record<string, string>
  queryString: string
  headers: Record<string, unknown>
}): Resource {
  const { publicUrl, template, params, queryString, headers } = request
  const path = template.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''))
  const query = sortedQuery(queryString)
  const shown = query.filter(([name]) => !SECRETS.has(name))
  const search = shown.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')
  const identity = ['GET', path, query, headers['sharetoken'] ?? null, headers['passcode'] ?? null]
  return {
    url: `${publicUrl}${path}${search && search.length <= MAX_SEARCH ? `?${search}` : ''}`,
    key: hash('sha256', JSON.stringify(identity), 'buffer'),
  }
}

/**
 * Returns the query's pairs sorted by name, equal names in their order; empty: the query cannot be parsed.
 */
function sortedQuery(queryString: string): [string, string][] {
  try {
    return Object.entries(parseQueryString(queryString))
      .flatMap(([name, values]) => [values].flat().map((value): [string, string] => [name, value]))
      .filter((pair) => pair.every((text) => text.isWellFormed()))
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  } catch {
    return []
  }
}
