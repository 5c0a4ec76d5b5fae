import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  ApiError,
  badRequest,
  errorBody,
  internalError,
  isUnavailable,
  notFound,
  payloadTooLarge,
  unavailable,
  unsupportedMediaType,
} from './errors.ts'
import { JSON_TYPE } from './to-json.ts'

/** Sends an error with the body of the contract. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { statusCode, headers, body } = errorAnswer(error, request)
  void reply
    .code(statusCode)
    .headers({ ...headers, 'x-request-id': request.id })
    .type(JSON_TYPE)
    .send(body)
}

/**
 * Converts an error to a response with the body of the contract. Unexpected errors are logged and not shown
 * to the client.
 */
export function errorAnswer(
  error: unknown,
  request: FastifyRequest,
): { statusCode: number; headers: Record<string, string>; body: string } {
  const answer = toApiError(error)
  if (answer.statusCode >= 500) logFailure(error, request)
  // The path after /p/ is a secret.
  const path = (request.url.split('?', 1)[0] ?? '').replace(/^((\/v1)?\/p\/).*/, '$1')
  const body = JSON.stringify(errorBody(answer, { requestId: request.id, path }))
  return { statusCode: answer.statusCode, headers: answer.headers, body }
}

/**
 * Logs only message, code and stack, because other fields of a database error may hold values of the request.
 */
function logFailure(error: unknown, request: FastifyRequest): void {
  const { message, code, stack } = error as Error & { code?: unknown }
  const { id: requestId, routeOptions } = request
  request.log.error({ requestId, endpoint: routeOptions.url, reason: message, code, stack }, 'request failed')
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (isUnavailable(error)) return unavailable()
  switch ((error as { code?: unknown } | null)?.code) {
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return notFound()
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return payloadTooLarge()
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return unsupportedMediaType()
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'ECONNABORTED':
      return badRequest()
    default:
      return internalError()
  }
}
