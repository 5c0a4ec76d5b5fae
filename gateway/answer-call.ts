import type { ReadonlyDb } from '../db/connect.ts'
import type { Shares } from '../db/portfolios/shares.ts'
import { errorAnswer } from '../api/error-reply.ts'
import type { Route, RouteInput } from '../api/route.ts'
import { toJson } from '../api/to-json.ts'
import type { FastifyRequest } from 'fastify'
import type { StoredAnswer } from './payments.ts'

export interface AnswerDeps {
  /** As role `api`. */
  db: ReadonlyDb
  shares: Shares
  now: () => Date
}

type Input = RouteInput<unknown, unknown, unknown>

const CONTENT_TYPE = 'application/json; charset=utf-8'

/** What a handler answers, whole: nothing of it leaves before it is paid for. An error is an answer, too. */
export function createAnswerCall({ db, shares, now }: AnswerDeps) {
  return async (call: { route: Route; input: Input; request: FastifyRequest }): Promise<StoredAnswer> => {
    const { route, input, request } = call
    try {
      const { body, asOf } = await route.handler(input, {
        ...{ db, now, shares },
        ...{ account: null, vault: null, quote: null },
      })
      return {
        ...{ statusCode: 200, contentType: CONTENT_TYPE, body: Buffer.from(toJson(body)) },
        headers: asOf ? { 'x-data-as-of': asOf.toISOString() } : {},
      }
    } catch (error) {
      const { statusCode, headers, body } = errorAnswer(error, request)
      return { statusCode, contentType: CONTENT_TYPE, headers, body: Buffer.from(body) }
    }
  }
}
