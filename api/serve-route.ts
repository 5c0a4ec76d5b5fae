import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ReadonlyDb } from '../db/schema.ts'
import type { Vault } from '../db/exchanges/vault.ts'
import {
  type Balance,
  type ChargeResult,
  type Idempotency,
  type Meter,
  WriteConflict,
  type WriteResult,
} from '../db/metering/meter.ts'
import type { Shares } from '../db/portfolios/shares.ts'
import { formatTraceparent } from '../ops/telemetry/traceparent.ts'
import { dataHeaders, jsonOf, textOf } from './answer-text.ts'
import { askHandler } from './ask-handler.ts'
import type { FirstReads } from './chain/first-reads.ts'
import type { EventReading } from './events/reading.ts'
import type { WebhookSettings } from './events/webhook-settings.ts'
import { ApiError, badRequest, forbidden, unavailable } from './errors.ts'
import { type Authorized, permits } from './metering/access.ts'
import { createCharging } from './metering/charging.ts'
import { creditHeaders, creditsRefusal } from './metering/headers.ts'
import { parseInput } from './parse-input.ts'
import { creditsOf, type Price, priceOf } from './price.ts'
import { parseQueryString } from './query-string.ts'
import { createQuoteCall } from './quote/quote-call.ts'
import type { Answer, Route, RouteInput } from './route.ts'
import { checkUnknownParameters } from './unknown-parameters.ts'
import type { X402Pricing } from './x402-price.ts'

/** Who asks on routes without a key. */
const PUBLIC = 'public'
/** Attempts when concurrent requests write the same row. */
const ATTEMPTS = 10

export interface ServeDeps {
  db: ReadonlyDb
  /** A copy of `db` that may lag. Absent: no replica */
  replica?: ReadonlyDb
  meter: Meter
  now: () => Date
  /** Absent: exchanges cannot be connected. */
  vault?: Vault
  /** What webhook endpoints need. Absent: there are none */
  webhooks?: WebhookSettings
  shares: Shares
  /** Address of the pages in browsers, without a trailing slash. Absent: none is configured */
  pagesUrl?: string
  /** What the first reads of an account may do. */
  firstReads: (asker: string) => FirstReads
  events: EventReading
  /** The routes that can be quoted. */
  routes: readonly Route[]
  x402Pricing: X402Pricing
}

interface Served {
  route: Route
  request: FastifyRequest
  reply: FastifyReply
  /** Null on public routes. */
  admitted: Authorized | null
}

/** Undefined: nothing is sent, because the client has left or knows the answer. */
type Body = string | Buffer | Readable | undefined

/**
 * Everything after the checks of key, rate and body: syntax (400), plan (403), enough credits (429), the
 * handler (404, 409), and last the charge, committed before the first byte of the answer. Returns the JSON, or
 * the stream.
 */
export function createServeRoute(deps: ServeDeps): (served: Served) => Promise<Body> {
  const charge = createCharging(deps.meter)
  const quote = createQuoteCall(deps)

  /**
   * Charges and returns the body to send. Throws WriteConflict when the writes of the answer conflict with
   * others.
   */
  async function pay(
    served: Served,
    {
      price,
      answer,
      idempotency,
    }: { price: Price; answer: Answer<unknown>; idempotency: Idempotency | null },
  ): Promise<string | Buffer> {
    const { route, request, reply, admitted } = served
    const body = jsonOf(answer)
    const { commands = [], writes = [], failed = [] } = answer
    if (!admitted || (price.credits === 0 && commands.length === 0 && writes.length === 0)) return body
    const entry = {
      requestId: request.id,
      accountId: admitted.accountId,
      credits: price.credits,
      endpoint: `${route.method} ${route.path}`,
      priceInput: price.input,
    }
    const refund = creditsOf(route, failed)
    if (refund > 0) {
      const result = await deps.meter.chargeInPart({ ...entry, refund })
      settle(reply, { ...price, credits: price.credits - refund }, result)
      return body
    }
    if (route.method === 'GET' && commands.length === 0) {
      settle(reply, price, await charge(entry))
      return body
    }
    const traced = request.span ? { traceparent: formatTraceparent(request.span) } : {}
    const result = await deps.meter.chargeWrite({
      ...entry,
      writes,
      idempotency,
      body: answer.repeated === undefined ? textOf(answer) : textOf({ body: answer.repeated, asOf: null }),
      commands: commands.map((command) => ({ ...command, ...traced })),
    })
    if (result.mismatch || result.replayedBody !== null) return replayed(reply, result, result.balance)
    settle(reply, price, result)
    return body
  }

  /** The first answer to the same key, free of charge. undefined: there is none yet */
  async function replay(
    { reply, admitted }: Served,
    idempotency: Idempotency | null,
  ): Promise<string | undefined> {
    if (!admitted || !idempotency) return undefined
    const found = await deps.meter.replay({ accountId: admitted.accountId, ...idempotency })
    return found ? replayed(reply, found, admitted.balance) : undefined
  }

  async function answerOf(
    served: Served,
    input: RouteInput<unknown, unknown, unknown>,
    price: Price,
    idempotency: Idempotency | null,
  ): Promise<Body> {
    const { route, request, reply, admitted } = served
    const account = admitted && {
      id: admitted.accountId,
      plan: admitted.plan,
      balance: admitted.balance,
    }
    const context = {
      db: deps.db,
      now: deps.now,
      account,
      vault: deps.vault ?? null,
      webhooks: deps.webhooks ?? null,
      shares: deps.shares,
      pagesUrl: deps.pagesUrl ?? null,
      firstReads: deps.firstReads(admitted?.accountId ?? PUBLIC),
      events: deps.events,
      quote,
    }
    const answer = await askHandler(route, input, { context, replica: deps.replica })
    // A client that has left is not charged.
    if (request.raw.socket.destroyed || reply.raw.destroyed) return undefined
    const body = await pay(served, { price, answer, idempotency })
    await answer.beforeSend?.()
    reply.headers(dataHeaders(answer))
    if (answer.etag !== undefined) {
      reply.headers({ etag: answer.etag, 'cache-control': 'private, no-cache' })
      if (isNamed(answer.etag, request.headers['if-none-match'])) {
        reply.code(304)
        return undefined
      }
    }
    if (answer.csv) {
      reply.header('vary', 'accept')
      if (acceptsCsv(request)) {
        reply.type(CSV_TYPE)
        return answer.csv()
      }
    }
    return answer.stream && request.method !== 'HEAD' ? answer.stream() : body
  }

  return async (served) => {
    const { route, request, reply, admitted } = served
    const query = parseQueryString(request.query as string)
    checkUnknownParameters({ route, query, request, reply })
    const input = parseInput(route, {
      path: request.params,
      query,
      body: request.body,
      headers: request.headers,
    })
    if (admitted && (!permits(admitted.access, route) || (route.plan === 'paid' && !admitted.paid)))
      throw forbidden()
    const price = priceOf(route, input)
    // A GET has no side effects, so each one is charged.
    const idempotency = route.method === 'GET' ? null : idempotencyOf(request, input.headers)
    const earlier = await replay(served, idempotency)
    if (earlier !== undefined) return earlier
    // A repeated write may already be paid by then; its charge decides.
    if (admitted && !idempotency && admitted.balance.available < price.credits)
      throw creditsRefusal({ cost: price.credits, balance: admitted.balance })
    for (let attempt = 1; ; attempt++)
      try {
        return await answerOf(served, input, price, idempotency)
      } catch (error) {
        if (error instanceof WriteConflict && attempt < ATTEMPTS) continue
        // The first of two requests with one key may have deleted what the second asks for.
        const first = error instanceof ApiError ? await replay(served, idempotency) : undefined
        if (first !== undefined) return first
        throw error instanceof WriteConflict ? unavailable() : error
      }
  }
}

const CSV_TYPE = 'text/csv; charset=utf-8'

/** Clients that also take JSON, or anything, get JSON, as everywhere. */
function acceptsCsv({ headers }: FastifyRequest): boolean {
  const types = (headers.accept ?? '').split(',').map((one) => one.split(';')[0]!.trim().toLowerCase())
  return types.includes('text/csv') && !types.includes('application/json')
}

/** Whether `If-None-Match` names the answer: the client has it already. The charge is the same. */
const isNamed = (etag: string, header: string | undefined): boolean =>
  header !== undefined && (header.trim() === '*' || header.split(',').some((one) => one.trim() === etag))

/** Throws 400 if the key belongs to another request. */
function replayed(
  reply: FastifyReply,
  { replayedBody, mismatch }: Pick<WriteResult, 'replayedBody' | 'mismatch'>,
  balance: Balance,
): string {
  if (mismatch || replayedBody === null) throw badRequest('Idempotency-Key was used with other parameters')
  reply.headers({ ...creditHeaders(0, balance), 'idempotency-replayed': 'true' })
  return replayedBody
}

function settle(reply: FastifyReply, price: Price, result: ChargeResult): void {
  const { paid, balance } = result
  reply.headers(creditHeaders(paid ? price.credits : 0, balance))
  if (!paid) throw creditsRefusal({ cost: price.credits, balance })
}

/**
 * The key of a repeatable write, with a digest of everything that determines its effect. Throws 400 for an
 * invalid key.
 */
function idempotencyOf(request: FastifyRequest, headers: unknown): Idempotency | null {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key))
    throw badRequest('Invalid Idempotency-Key')
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([request.method, request.url, request.body ?? null, headers]))
    .digest()
  return { key, fingerprint }
}
