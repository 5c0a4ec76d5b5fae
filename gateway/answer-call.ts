import type { FastifyRequest } from 'fastify'
import type { ReadonlyDb } from '../db/schema.ts'
import type { StoredAnswer } from '../db/payments/ledger.ts'
import type { Shares } from '../db/portfolios/shares.ts'
import { dataHeaders, jsonOf } from '../api/answer-text.ts'
import { askHandler } from '../api/ask-handler.ts'
import type { FirstReads } from '../api/chain/first-reads.ts'
import { errorAnswer } from '../api/error-reply.ts'
import type { Route, RouteInput } from '../api/route.ts'
import { JSON_TYPE } from '../api/to-json.ts'

export interface AnswerDeps {
  /** Connects as role `api`. */
  db: ReadonlyDb
  /** A copy of `db` that may lag; absent: no replica. */
  replica?: ReadonlyDb
  shares: Shares
  /** Address of the API's pages in browsers, without a trailing slash; absent: none is configured. */
  pagesUrl?: string
  /** What the first reads of payers may do. */
  firstReads: (asker: string) => FirstReads
  now: () => Date
}

/** Payers have no account: their first reads count together. */
const ASKER = 'gateway'

type Input = RouteInput<unknown, unknown, unknown>

/**
 * Returns the whole answer of a handler in memory, because nothing is sent before it is paid for. Errors
 * become answers too.
 */
export function createAnswerCall({ db, replica, shares, pagesUrl, firstReads, now }: AnswerDeps) {
  return async (call: { route: Route; input: Input; request: FastifyRequest }): Promise<StoredAnswer> => {
    const { route, input, request } = call
    try {
      const context = {
        db,
        now,
        shares,
        pagesUrl: pagesUrl ?? null,
        account: null,
        vault: null,
        webhooks: null,
        quote: null,
        events: null,
        firstReads: firstReads(ASKER),
      }
      const answer = await askHandler(route, input, { context, replica })
      return {
        statusCode: 200,
        contentType: JSON_TYPE,
        body: Buffer.from(jsonOf(answer)),
        headers: dataHeaders(answer),
      }
    } catch (error) {
      const { statusCode, headers, body } = errorAnswer(error, request)
      return { statusCode, contentType: JSON_TYPE, headers, body: Buffer.from(body) }
    }
  }
}
