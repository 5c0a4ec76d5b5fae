/** An answer other than 200 that a handler or a check chose. The message is public: it goes out as it is. */
export class ApiError extends Error {
  readonly statusCode: number
  readonly headers: Record<string, string>

  constructor(statusCode: number, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.name = 'ApiError'
    this.statusCode = statusCode
    this.headers = headers
  }
}

export const invalidParameter = (name: string) => new ApiError(400, `Invalid parameter: ${name}`)
export const invalidApiKey = () => new ApiError(401, 'Invalid API key')
export const forbidden = () => new ApiError(403, 'Forbidden resource')
export const notFound = (message: string) => new ApiError(404, message)
export const notSynced = () => new ApiError(409, 'Transactions not synced')
export const rateLimited = (headers: Record<string, string>) =>
  new ApiError(429, 'Rate limit exceeded', headers)
export const insufficientCredits = (headers: Record<string, string>) =>
  new ApiError(429, 'Insufficient credits for this request', headers)
export const creditsSpent = (headers: Record<string, string>) =>
  new ApiError(429, 'Credits limit reached', headers)
export const unavailable = () => new ApiError(503, 'Service Unavailable. Please Contact Support')
