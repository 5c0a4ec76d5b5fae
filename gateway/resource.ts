import { hash } from 'node:crypto'
import { parseQueryString } from '../api/query-string.ts'

/** What one call asks for, however it is spelled. */
export interface Resource {
  /**
   * Absolute, for the payer and the facilitator: without what opens a shared portfolio, and without a query that would
   * make headers longer than clients read, or payments longer than are taken.
   */
  url: string
  /** Same key, same answer: digest of everything that shapes it. */
  key: Buffer
}

/** It goes out and comes back in base64, beside 1 KB of the rest: of 8 KB a payment may have. */
const MAX_SEARCH = 2_048
const SECRETS = new Set(['shareToken', 'passcode'])

/**
 * The resource of a request. `path` as the router took it apart, `queryString` as it came. The address is the
 * configured one, whatever Host says.
 */
export function resourceOf(request: {
  publicUrl: string
  /** Template of the route, parameters in braces. */
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

/** Pairs by name; those of one name in their order. Of a query that cannot be read, nothing. */
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
