import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ReadonlyDb } from '../db/connect.ts'
import type { Vault } from '../db/exchanges/vault.ts'
import type { ChargeResult, Meter } from '../db/metering/meter.ts'
import type { Shares } from '../db/portfolios/shares.ts'
import { badRequest, forbidden } from './errors.ts'
import type { Admitted } from './metering/admission.ts'
import { createCharging } from './metering/charging.ts'
import { creditHeaders, creditsRefusal } from './metering/headers.ts'
import { parseInput } from './parse-input.ts'
import { type Price, priceOf } from './price.ts'
import type { Answer, Route, RouteInput } from './route.ts'

export interface ServeDeps {
  db: ReadonlyDb
  meter: Meter
  now: () => Date
  random: () => number
  /** Absent: exchanges cannot be connected. */
  vault?: Vault
  shares: Shares
}

interface Served {
  route: Route
  request: FastifyRequest
  reply: FastifyReply
  /** Null on public routes. */
  admitted: Admitted | null
}

interface Parsed extends Served {
  input: RouteInput<unknown, unknown, unknown>
}

/**
 * Everything after key, rate and body: syntax (400), plan (403), a look at the credits (429), the handler (404, 409),
 * and last the charge, committed before the first byte of the answer. Answers the JSON text.
 */
export function createServeRoute(deps: ServeDeps): (served: Served) => Promise<string | undefined> {
  const charge = createCharging(deps.meter)

  async function pay(served: Parsed, price: Price, body: string, answer: Answer<unknown>): Promise<string> {
    const { route, request, reply, admitted, input } = served
    if (!admitted || (price.credits === 0 && !answer.commands?.length)) return body
    const entry = {
      requestId: request.id,
      accountId: admitted.accountId,
      credits: price.credits,
      endpoint: `${route.method} ${route.path}`,
      priceInput: price.input,
    }
    if (route.method === 'GET' && !answer.commands?.length) {
      settle(reply, price, await charge(entry), deps.random)
      return body
    }
    const result = await deps.meter.chargeWrite({
      ...entry,
      commands: answer.commands ?? [],
      // Reading twice is two reads.
      idempotency: route.method === 'GET' ? null : idempotencyOf(request, input.headers),
      body,
    })
    if (result.mismatch) throw badRequest('Idempotency-Key was used with other parameters')
    const replayed = result.replayedBody !== null
    settle(reply, replayed ? { credits: 0, input: null } : price, result, deps.random)
    if (replayed) reply.header('idempotency-replayed', 'true')
    return result.replayedBody ?? body
  }

  return async (served) => {
    const { route, request, reply, admitted } = served
    const input = parseInput(route, {
      path: request.params,
      queryString: request.query as string,
      body: request.body,
      headers: request.headers,
    })
    if (route.plan === 'paid' && admitted && !admitted.paid) throw forbidden()
    const price = priceOf(route, input)
    // A repeated write may have been paid for already; its charge decides.
    const mayReplay = route.method !== 'GET' && request.headers['idempotency-key'] !== undefined
    if (admitted && !mayReplay && admitted.balance.available < price.credits)
      throw creditsRefusal({ cost: price.credits, balance: admitted.balance, random: deps.random })
    const account = admitted && {
      id: admitted.accountId,
      plan: admitted.plan,
      balance: admitted.balance,
    }
    const answer = await route.handler(input, {
      ...{ db: deps.db, now: deps.now, account },
      vault: deps.vault ?? null,
      shares: deps.shares,
    })
    // A client that has left is not charged.
    if (request.raw.socket.destroyed || reply.raw.destroyed) return undefined
    const body = await pay({ ...served, input }, price, toJson(answer.body), answer)
    if (answer.asOf) reply.header('x-data-as-of', answer.asOf.toISOString())
    return body
  }
}

function settle(reply: FastifyReply, price: Price, result: ChargeResult, random: () => number): void {
  const { paid, balance } = result
  reply.headers(creditHeaders(paid ? price.credits : 0, balance))
  if (!paid) throw creditsRefusal({ cost: price.credits, balance, random })
}

function toJson(body: unknown): string {
  const isText = typeof body === 'object' && body !== null && 'json' in body && typeof body.json === 'string'
  return isText ? (body as { json: string }).json : JSON.stringify(body)
}

/** The key of a repeatable write, with a digest of everything that shapes its effect. Throws 400 for an unusable key. */
function idempotencyOf(
  request: FastifyRequest,
  headers: unknown,
): { key: string; fingerprint: Buffer } | null {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key))
    throw badRequest('Invalid Idempotency-Key')
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([request.method, request.url, request.body ?? null, headers]))
    .digest()
  return { key, fingerprint }
}
