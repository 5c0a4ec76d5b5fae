import { usdcOf } from '../../db/values/usdc.ts'
import { invalidParameter, notFound } from '../errors.ts'
import { parseJsonBody } from '../json-body.ts'
import { parseInput } from '../parse-input.ts'
import { priceOf } from '../price.ts'
import type { Route } from '../route.ts'
import { type X402Pricing, x402UnitsOf } from '../x402-price.ts'
import { createMatchRoute } from './match-route.ts'

declare module '../route.ts' {
  interface RouteContext {
    /** Prices a call. null at the gateway, which has prices of its own. */
    quote: ((call: QuotedCall) => Quote) | null
  }
}

/** A call to be priced; it is not made. */
interface QuotedCall {
  method: 'GET' | 'PATCH' | 'POST' | 'DELETE'
  /** With its query string; with or without /v1. */
  path: string
  /** JSON text. */
  body: string | undefined
}

export interface Quote {
  endpoint: string
  credits: number
  /** What multiplies the base price, as the ledger keeps it; null for a fixed one. */
  multipliers: string | null
  /** Price at the pay-per-request gateway in base units (6 decimals) and in USDC; null: it is not sold there. */
  x402: { amount: string; usdc: string } | null
}

/**
 * What a call would cost, by the functions that charge it: its row, its parsed input, the price of that. Throws 404 and
 * 400 as the call would answer them.
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
    if (body !== undefined && method === 'GET') throw invalidParameter('body')
    const price = priceOf(
      route,
      parseInput(pricedPart(route), {
        path: found.params,
        queryString,
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

/** A body that the price does not depend on may hold what belongs into no address, such as credentials. */
function pricedPart(route: Route): Route {
  if (isPricedByBody(route)) return route
  const { requestBody: _, ...rest } = route
  return rest
}
