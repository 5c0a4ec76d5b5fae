import { usdcOf } from '../../db/values/usdc.ts'
import { invalidParameter, notFound } from '../errors.ts'
import { parseJsonBody } from '../json-body.ts'
import { parseInput } from '../parse-input.ts'
import { priceOf } from '../price.ts'
import { parseQueryString } from '../query-string.ts'
import type { Route } from '../route.ts'
import { type X402Pricing, x402UnitsOf } from '../x402-price.ts'
import { createMatchRoute } from './match-route.ts'

declare module '../route.ts' {
  interface RouteContext {
    /** Returns the price of a call. null at the gateway, which has its own prices */
    quote: ((call: QuotedCall) => Quote) | null
  }
}

/** A call to price without making it. */
interface QuotedCall {
  method: 'GET' | 'PATCH' | 'POST' | 'PUT' | 'DELETE'
  /** Includes the query string; `/v1` is optional. */
  path: string
  /** JSON text. */
  body: string | undefined
}

export interface Quote {
  endpoint: string
  credits: number
  /** Multipliers of the base price, as in the credit ledger. null: the price is fixed */
  multipliers: string | null
  /** Price at the gateway, in base units (6 decimals) and in USDC. null: not sold there */
  x402: { amount: string; usdc: string } | null
}

/**
 * Prices a call with the functions that charge it: finds its route, parses its input, computes the price.
 * Throws 404 and 400 as the call would.
 */
export function createQuoteCall(deps: {
  routes: readonly Route[]
  x402Pricing: X402Pricing
}): (call: QuotedCall) => Quote {
  const matchRoute = createMatchRoute(deps.routes)
  return ({ method, path, body }) => {
    const end = path.indexOf('?')
    const [pathname, queryString] = end < 0 ? [path, ''] : [path.slice(0, end), path.slice(end + 1)]
    const found = matchRoute(pathname.replace(/^\/v1\//, '/'))
    const route = found?.rows.find((row) => row.method === method)
    if (!found || !route) throw notFound()
    if (body !== undefined && method === 'GET') throw invalidParameter('body', 'A GET has none')
    const price = priceOf(
      route,
      parseInput(pricedPart(route), {
        path: found.params,
        query: parseQueryString(queryString),
        headers: {},
        body: body !== undefined && isPricedByBody(route) ? parseJsonBody(Buffer.from(body)) : undefined,
      }),
    )
    const units = x402UnitsOf(route, price, deps.x402Pricing)
    return {
      endpoint: `${route.method} ${route.path}`,
      credits: price.credits,
      multipliers: price.input,
      x402: units === null ? null : { amount: units.toString(), usdc: usdcOf(units) },
    }
  }
}

const isPricedByBody = ({ requestBody, multiplied }: Route): boolean =>
  requestBody !== undefined && multiplied !== undefined

/**
 * Drops the body schema if the price does not depend on it, because callers should not send credentials in a
 * URL.
 */
function pricedPart(route: Route): Route {
  if (isPricedByBody(route)) return route
  const { requestBody: _, ...rest } = route
  return rest
}
