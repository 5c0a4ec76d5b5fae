import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { PortfolioChoice, WalletChoice } from '../db/pnl/holders.ts'
import type { Database, ReadonlyDb } from '../db/schema.ts'

/** Longest value of a path parameter. */
export const MAX_PARAM_LENGTH = 200

/** USDC per call at the pay-per-request gateway, with at most six decimals. */
export type X402Price = `${number}`

/** One value of a multiplied parameter: a single network or wallet, or everything at once. */
export type PricedItem = 'one' | 'all'

/** The account of a request, read after the request arrived. Metering adds its credits (api/metering/charging.ts). */
export interface RequestAccount {
  id: string
  plan: string
}

/**
 * What a handler may use. It has no access to request or reply. An area whose handlers need more declares it here
 * (api/portfolios/open-share.ts), so that other handlers do not depend on it.
 */
export interface RouteContext {
  db: ReadonlyDb
  now: () => Date
  /** Null on public routes and at the gateway. */
  account: RequestAccount | null
}

/**
 * The result of a handler. `asOf`: time of the data; null: it has no age. `priceAsOf`: time of the oldest price
 * on which the figures of the present rest; absent or null: they rest on none. `dataHeaders` sends both. Metering
 * adds what commits with the charge (api/metering/charging.ts).
 */
export interface Answer<Body> {
  /** The response, or its JSON if it was assembled from stored fragments or is kept. */
  body: Body | { json: string } | { bytes: Buffer }
  asOf: Date | null
  priceAsOf?: Date | null
  /** Tokens that are left out as spam, for the header. */
  hiddenSpam?: number
  /** Balances that are left out because they are worth little, for the header. */
  hiddenDust?: number
  /** Wallets and portfolios whose history is not complete or whose figures are being computed; named in `meta.pending` and the headers. */
  pending?: readonly string[]
  /** Priced items that this service failed to answer. Their credits are refunded. */
  failed?: readonly PricedItem[]
  /** Identifies the response of a shared answer for `If-None-Match`. */
  etag?: string
  /** Makes what is sent instead of `body` to a client that accepts text/csv. Its route has `csv`. */
  csv?: () => string
  /** Opens what is sent instead of `body`, as server-sent events. Called when the charge has committed. */
  stream?: () => Readable
  /** Runs after the charge has committed and before the answer is sent; a bounded wait. */
  beforeSend?: () => Promise<void>
}

export interface RouteInput<Path, Query, Body, Headers = unknown> {
  path: Path
  query: Query
  body: Body
  headers: Headers
}

/**
 * On what an answer depends that all callers share, besides the parameters. It is kept until that changes
 * (api/shared-answers.ts).
 */
export interface SharedBy {
  /** Tables that the handler reads, each with the trigger `note_revision`. */
  reads: readonly (keyof Database)[]
  /** It depends on the clock, and is made for the end of each minute. */
  byMinute?: true
  /** Its `timestamp` is the time of the call, and nothing else depends on that. */
  stamped?: true
}

/** Whose figures an answer shows, and what else of the call decides it. */
export interface Shown {
  holders: { portfolios: PortfolioChoice } | { wallets: readonly WalletChoice[] }
  /** Parameters besides those that select the holders. */
  question: unknown
  /** What the handler is given instead of the context of the call. */
  context?: Partial<RouteContext>
}

/**
 * On what an answer with figures of portfolios or wallets depends. It is kept until that changes, at most to the end
 * of the minute (api/figures/kept-figures.ts).
 */
export interface FiguresBy<Input = RouteInput<unknown, unknown, unknown>> {
  /** Checks with each call who may see what. null: the answer is made for this call. */
  holdersOf: (input: Input, context: RouteContext) => Shown | null | Promise<Shown | null>
  /** Tables of prices and coins that the handler reads, each with the trigger `note_revision`. */
  reads: readonly (keyof Database)[]
  /** Instants in the answer that follow from that of the call, and are shown as such. */
  instants?: (input: Input, nowMs: number) => readonly number[]
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
  /** Answers with server-sent events: `response` is the data of one. Absent: with JSON. */
  kind?: 'stream'
  method: 'GET' | 'PATCH' | 'POST' | 'PUT' | 'DELETE'
  /** Below /v1, parameters in braces as in the contract: `/coins/{coinId}`. */
  path: string
  tag: string
  summary: string
  description?: string
  pathParams?: z.ZodType<Path>
  query?: z.ZodType<Query>
  requestBody?: z.ZodType<Body>
  /** Names in lower case. The values of a repeated header are joined by a comma. */
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
  /** The price list of the contract. null: not in it, so only sold if the operator adds it */
  x402: X402Price | null
  /** Served without a key and free (the status check). */
  public?: true
  /** Also answers with CSV, to `Accept: text/csv`. */
  csv?: true
  /** 409 'Transactions not synced' is one of its answers. */
  needsSync?: true
  /**
   * The handler may read a replica. Do not set it if the answer is a status, decides a charge, or shows data
   * that accounts change themselves.
   */
  mayLag?: true
  /** Absent: the answer is made for each call, because it is an account's or a wallet's. */
  shared?: SharedBy
  /** Absent: it is not one with figures, or is made for each call. */
  figures?: FiguresBy<RouteInput<Path, Query, Body, Headers>>
  /** Path of the endpoint that replaces it. Responses then have Deprecation and Link headers. */
  deprecatedBy?: string
  handler: (input: RouteInput<Path, Query, Body, Headers>, context: RouteContext) => Promise<Answer<Response>>
}

/** Checks the types of one declaration against each other. The route table holds it without them. */
export function defineRoute<Path, Query, Body, Response, Headers = unknown>(
  route: Route<Path, Query, Body, Response, Headers>,
): Route {
  return route as unknown as Route
}
