/**
 * What a program can do about an error: `rate` and `unavailable` pass with time, `credits` with credits, `payment` with a
 * payment, `payment-pending` with the same payment again and never a new one, `not-synced` when GET /wallet/status says so,
 * `gone` (events that are no longer kept) never, the others when the call is changed.
 */
export type ErrorKind =
  | 'invalid'
  | 'unauthorized'
  | 'payment'
  | 'payment-pending'
  | 'forbidden'
  | 'not-found'
  | 'not-synced'
  | 'gone'
  | 'rate'
  | 'credits'
  | 'unavailable'
  | 'other'

/** An error answer. `message` is that of the API. */
export class SluiceError extends Error {
  readonly status: number
  readonly kind: ErrorKind
  /** Value of X-Request-Id; null: the answer is not from the API. */
  readonly requestId: string | null
  /** Seconds until a retry makes sense; null: waiting does not help, or nobody knows how long. */
  readonly retryAfterS: number | null

  constructor({ response, message }: { response: Response; message: string }) {
    super(message)
    this.name = 'SluiceError'
    this.status = response.status
    this.requestId = response.headers.get('x-request-id')
    const retryAfter = response.headers.get('retry-after')
    this.retryAfterS = retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null
    this.kind = kindOf(response, this.retryAfterS)
  }
}

const KINDS: Record<number, ErrorKind> = {
  400: 'invalid',
  401: 'unauthorized',
  402: 'payment',
  403: 'forbidden',
  404: 'not-found',
  405: 'invalid',
  409: 'not-synced',
  410: 'gone',
  413: 'invalid',
  415: 'invalid',
  429: 'rate',
  431: 'invalid',
  503: 'unavailable',
}

function kindOf({ status, headers }: Response, retryAfterS: number | null): ErrorKind {
  // Waiting does not help an account without credits, so the API names no time for it.
  if (status === 429 && retryAfterS === null) return 'credits'
  // The gateway asks to wait for a payment; a history that is not complete has no time.
  if (status === 409 && retryAfterS !== null) return 'payment-pending'
  if (status === 503 && headers.has('payment-response')) return 'payment-pending'
  return KINDS[status] ?? 'other'
}

/** The error that an answer means. */
export async function errorOf(response: Response): Promise<SluiceError> {
  const body: unknown = await response.json().catch(() => null)
  const { message } = (body ?? {}) as { message?: unknown }
  return new SluiceError({
    response,
    message: typeof message === 'string' ? message : `Status ${response.status}`,
  })
}
