import type { z } from 'zod'
import type { ReadonlyDb } from '../db/connect.ts'
import type { Vault } from '../db/exchanges/vault.ts'
import type { Balance, Command } from '../db/metering/meter.ts'
import type { PortfolioWrite } from '../db/portfolios/portfolio-write.ts'
import type { Shares } from '../db/portfolios/shares.ts'

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

/** A call that is asked about and not made. */
export interface QuotedCall {
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
  /** At the pay-per-request gateway: base units (6 decimals) and USDC; null: it is not sold there. */
  x402: { amount: string; usdc: string } | null
}

/** What a handler may use. It sees neither request nor reply. */
export interface RouteContext {
  db: ReadonlyDb
  now: () => Date
  /** Null on public routes and at the gateway. */
  account: RequestAccount | null
  /** Where credentials go; null: there is no key to seal them with. */
  vault: Vault | null
  /** What share tokens show. */
  shares: Shares
  /** What a call would cost; null at the gateway, which has prices of its own. */
  quote: ((call: QuotedCall) => Quote) | null
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
