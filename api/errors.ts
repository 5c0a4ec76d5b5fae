/** An intended answer other than 200. The message is public: clients get it unchanged. */
export class ApiError extends Error {
  readonly statusCode: number
  readonly headers: Record<string, string>
  /** Value of the field `error` in the body. */
  readonly error: string | undefined

  constructor(statusCode: number, message: string, headers: Record<string, string> = {}, error?: string) {
    super(message)
    this.name = 'ApiError'
    this.statusCode = statusCode
    this.headers = headers
    this.error = error
  }
}

export const badRequest = (message = 'Bad Request') => new ApiError(400, message)
/** The first words are fixed, because clients match them. `reason` is a sentence without its full stop. */
export const invalidParameter = (name: string, reason: string) =>
  new ApiError(400, `Invalid parameter: ${name}. ${reason}`)
/** A path parameter that no id can be. */
export const malformedId = (name: string, reason: string) =>
  new ApiError(404, invalidParameter(name, reason).message)

/** Only missing parameters, nothing else is wrong. The message is that of any invalid parameter. */
export class MissingParameters extends ApiError {
  readonly names: readonly string[]

  constructor(names: readonly [string, ...string[]], reason: string) {
    super(400, invalidParameter(names[0], reason).message)
    this.names = names
  }
}
export const invalidApiKey = () => new ApiError(401, 'Invalid API key', {}, 'Unauthorized')
export const forbidden = () => new ApiError(403, 'Forbidden resource')
export const notFound = (message = 'Not Found') => new ApiError(404, message)
/** The same for a portfolio of another account and for one that does not exist. */
export const portfolioNotFound = (id: string) => notFound(`Portfolio with id '${id}' not found`)
export const methodNotAllowed = (allow: string) => new ApiError(405, 'Method Not Allowed', { allow })
export const requestTimeout = () => new ApiError(408, 'Request Timeout')
export const notSynced = () => new ApiError(409, 'Transactions not synced')
export const payloadTooLarge = () => new ApiError(413, 'Payload Too Large')
export const unsupportedMediaType = () => new ApiError(415, 'Unsupported Media Type')
export const headersTooLarge = () => new ApiError(431, 'Request Header Fields Too Large')
export const rateLimited = (headers: Record<string, string>) =>
  new ApiError(429, 'Rate limit exceeded', headers)
export const insufficientCredits = () => new ApiError(429, 'Insufficient credits for this request')
export const creditsSpent = () => new ApiError(429, 'Credits limit reached')
export const internalError = () => new ApiError(500, 'Internal Server Error')
export const unavailable = (headers: Record<string, string> = {}) =>
  new ApiError(503, 'Service Unavailable. Please Contact Support', headers)
/** The worker has not read yet what was asked for the first time: ask again after 2 seconds. */
export const notReadYet = () => unavailable({ 'retry-after': '2' })

const shareError = (statusCode: number, message: string) => new ApiError(statusCode, message, {}, message)
export const shareTokenRequired = () => shareError(400, 'shareToken is required')
export const sharedPortfolioNotFound = () => shareError(404, 'Shared portfolio not found')
/** The owner has no Degen. The message is that of an unknown token, so that it reveals nothing. */
export const sharingEnded = () => shareError(403, 'Shared portfolio not found')
/** The same for a missing, wrong or locked passcode. */
export const passcodeRequired = () => shareError(403, 'Passcode required for this portfolio')
export const additionForbidden = () =>
  shareError(403, 'You are not allowed to add transactions to this portfolio')

export interface ErrorBody {
  statusCode: number
  message: string
  requestId?: string
  path?: string
  error?: string
}

/** The JSON of an error. 503 has only two fields; 401 and errors of sharing also have `error`. */
export function errorBody(error: ApiError, request: { requestId: string; path: string }): ErrorBody {
  const { statusCode, message, error: text } = error
  if (statusCode === 503) return { statusCode, message }
  return { statusCode, message, ...request, ...(text !== undefined && { error: text }) }
}

/**
 * SQLSTATEs: class 08 connection, 53 resources, 57 operator intervention and time limits; 25006 read-only
 * standby.
 */
const UNAVAILABLE_STATES = /^(08...|53...|57...|25006)$/
const UNAVAILABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
  'EMFILE',
  'ENFILE',
])
/** Messages without a code from the Postgres driver, when a connection is lost or none is free in time. */
const UNAVAILABLE_MESSAGES =
  /^(Connection terminated|Query read timeout|timeout exceeded|Client (has|was)|Cannot use a pool)/

/** Whether an error means that the database is unreachable or overloaded, and not that a query is wrong. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof ApiError) return error.statusCode === 503
  if (!(error instanceof Error)) return false
  const code = (error as { code?: unknown }).code
  if (typeof code === 'string') return UNAVAILABLE_STATES.test(code) || UNAVAILABLE_CODES.has(code)
  return UNAVAILABLE_MESSAGES.test(error.message)
}
