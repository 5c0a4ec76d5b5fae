import type { z } from 'zod'
import type { ReadonlyDb } from '../db/connect.ts'
import type { Balance, Command } from '../db/metering/meter.ts'
import type { PortfolioWrite } from '../db/portfolios/portfolio-write.ts'

/** The longest value of a path parameter that the router takes. */
export const MAX_PARAM_LENGTH = 200

/** USDC per call at the pay-per-request gateway. */
export type X402Price = '0.001' | '0.003' | '0.004' | '0.04' | '0.05'

/** One value of a multiplied parameter: a single network or wallet, or everything at once. */
export type PricedItem = 'one' | 'all'

/** Who asks, as the metering functions saw it after the request had arrived. */
export interface RequestAccount {
  id: string
  plan: string
  balance: Balance
}

/**
 * What a handler may use. It sees neither request nor reply. Areas whose handlers need more add it here by declaration
 * (api/portfolios/open-share.ts), so that the handlers of others do not depend on it.
 */
export interface RouteContext {
  db: ReadonlyDb
  now: () => Date
  /** Null on public routes and at the gateway. */
  account: RequestAccount | null
}

/** What a handler answers. `asOf`: how old the data is (null: it has no age), sent as X-Data-As-Of. */
export interface Answer<Body> {
  /** The response, or its JSON text where it was assembled from stored fragments. */
  body: Body | { json: string }
  asOf: Date | null
  /** Of what multiplied the price: items that have no answer by our fault. Their part is given back. */
  failed?: readonly PricedItem[]
  /** Workflows that start once the charge of the request has committed. */
  commands?: Command[]
  /** What the database does in that same transaction. Where it cannot any more, the handler is asked again. */
  writes?: PortfolioWrite[]
}

export interface RouteInput<Path, Query, Body, Headers = unknown> {
  path: Path
  query: Query
  body: Body
  headers: Headers
}

/**
 * One endpoint. Router, validation, OpenAPI, credit price and gateway derive from this declaration alone.
 * `Path`, `Query`, `Body` and `Headers` are the parsed inputs, `Response` the JSON of status 200.
 */
export interface Route<
  Path = unknown,
  Query = unknown,
  Body = unknown,
  Response = unknown,
  Headers = unknown,
> {
  method: 'GET' | 'PATCH' | 'POST' | 'DELETE'
  /** Below /v1, parameters in braces as in the contract: `/coins/{coinId}`. */
  path: string
  tag: string
  summary: string
  description?: string
  pathParams?: z.ZodType<Path>
  query?: z.ZodType<Query>
  requestBody?: z.ZodType<Body>
  /** By their names in lower case. One that was sent twice has both values, joined by a comma. */
  headers?: z.ZodType<Headers>
  response: z.ZodType<Response>
  /** Base price; with `multiplied`, the price of each item that is not `all`. */
  credits: number
  /** The values that multiply the price, from the parsed input alone. */
  multiplied?: {
    creditsAll: number
    items: (input: RouteInput<Path, Query, Body, Headers>) => readonly PricedItem[]
  }
  plan: 'any' | 'paid'
  x402: X402Price | null
  /** Served without a key and free (the status check). */
  public?: true
  /** 409 'Transactions not synced' is one of its answers. */
  needsSync?: true
  /**
   * Older data will do: the handler may be given a replica to read. Not where the answer is a status, decides what is charged,
   * or shows what accounts change themselves.
   */
  mayLag?: true
  /** Path of the endpoint that replaces it; answers carry Deprecation and Link headers. */
  deprecatedBy?: string
  handler: (input: RouteInput<Path, Query, Body, Headers>, context: RouteContext) => Promise<Answer<Response>>
}

/** Ties the types of one declaration together; the table holds it with its types erased. */
export function defineRoute<Path, Query, Body, Response, Headers = unknown>(
  route: Route<Path, Query, Body, Response, Headers>,
): Route {
  return route as unknown as Route
}
