/** An answer other than 200 that a handler or a check chose. The message is public: it goes out as it is. */
export class ApiError extends Error {
  readonly statusCode: number
  readonly headers: Record<string, string>
  /** What the body has as `error`, beside the message. */
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
export const invalidParameter = (name: string) => new ApiError(400, `Invalid parameter: ${name}`)

/** Parameters that are not there, and nothing else is wrong. In the words of any other that is wrong. */
export class MissingParameters extends ApiError {
  readonly names: readonly string[]

  constructor(names: readonly [string, ...string[]]) {
    super(400, invalidParameter(names[0]).message)
    this.names = names
  }
}
export const invalidApiKey = () => new ApiError(401, 'Invalid API key', {}, 'Unauthorized')
export const forbidden = () => new ApiError(403, 'Forbidden resource')
export const notFound = (message = 'Not Found') => new ApiError(404, message)
/** Of another account's as of one that nobody has. */
export const portfolioNotFound = (id: string) => notFound(`Portfolio with id '${id}' not found`)
export const methodNotAllowed = (allow: string) => new ApiError(405, 'Method Not Allowed', { allow })
export const requestTimeout = () => new ApiError(408, 'Request Timeout')
export const notSynced = () => new ApiError(409, 'Transactions not synced')
export const payloadTooLarge = () => new ApiError(413, 'Payload Too Large')
export const unsupportedMediaType = () => new ApiError(415, 'Unsupported Media Type')
export const headersTooLarge = () => new ApiError(431, 'Request Header Fields Too Large')
export const rateLimited = (headers: Record<string, string>) =>
  new ApiError(429, 'Rate limit exceeded', headers)
export const insufficientCredits = (headers: Record<string, string>) =>
  new ApiError(429, 'Insufficient credits for this request', headers)
export const creditsSpent = (headers: Record<string, string>) =>
  new ApiError(429, 'Credits limit reached', headers)
export const internalError = () => new ApiError(500, 'Internal Server Error')
export const unavailable = (headers: Record<string, string> = {}) =>
  new ApiError(503, 'Service Unavailable. Please Contact Support', headers)

const shareError = (statusCode: number, message: string) => new ApiError(statusCode, message, {}, message)
export const shareTokenRequired = () => shareError(400, 'shareToken is required')
export const sharedPortfolioNotFound = () => shareError(404, 'Shared portfolio not found')
/** Its owner has no Degen: says no more than that of a token that nobody has. */
export const sharingEnded = () => shareError(403, 'Shared portfolio not found')
/** Missing, wrong and locked alike. */
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

/** The JSON of an error. 503 has two fields only; 401 and those of sharing also have `error`. */
export function errorBody(error: ApiError, request: { requestId: string; path: string }): ErrorBody {
  const { statusCode, message, error: text } = error
  if (statusCode === 503) return { statusCode, message }
  return { statusCode, message, ...request, ...(text !== undefined && { error: text }) }
}

/** Postgres classes: 08 connection, 53 resources, 57 operator intervention and time limits, 25006 read-only standby. */
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
/** What the Postgres driver says without a code when a connection is lost, or none can be had in time. */
const UNAVAILABLE_MESSAGES =
  /^(Connection terminated|Query read timeout|timeout exceeded|Client (has|was)|Cannot use a pool)/

/** Whether an error means that the database is out of reach or out of means, and not that a query is wrong. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof ApiError) return error.statusCode === 503
  if (!(error instanceof Error)) return false
  const code = (error as { code?: unknown }).code
  if (typeof code === 'string') return UNAVAILABLE_STATES.test(code) || UNAVAILABLE_CODES.has(code)
  return UNAVAILABLE_MESSAGES.test(error.message)
}
