import type { Paths } from './api-types.ts'

// These files have no dependencies and run wherever fetch exists.

export interface ClientOptions {
  /** Address of the API, such as http://127.0.0.1:8080/v1 */
  url: string
  /** An API key, or a bearer token of the OpenID provider of the installation. */
  key?: string
  /** Used instead of the global one, such as a fetch that pays at the gateway. */
  fetch?: typeof fetch
  /** Longest wait in seconds before a retry that the API asks for. 0: no retries. Default: 10. */
  maxWaitS?: number
}

export interface Answer<Data> {
  data: Data
  response: Response
}

/**
 * What a program can do about an error: `rate` and `unavailable` pass with time, `credits` with credits, `payment` with a
 * payment, `not-synced` when GET /wallet/status says so, the others when the call is changed.
 */
export type ErrorKind =
  | 'invalid'
  | 'unauthorized'
  | 'payment'
  | 'forbidden'
  | 'not-found'
  | 'not-synced'
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
  /** Seconds until a retry makes sense; null: waiting does not help. */
  readonly retryAfterS: number | null

  constructor(options: {
    status: number
    message: string
    requestId: string | null
    retryAfterS: number | null
  }) {
    super(options.message)
    this.name = 'SluiceError'
    this.status = options.status
    this.kind = kindOf(options)
    this.requestId = options.requestId
    this.retryAfterS = options.retryAfterS
  }
}

type Method = 'get' | 'post' | 'patch' | 'put' | 'delete'
/** The paths that have a method. */
export type PathOf<M extends Method> = {
  [P in keyof Paths]: Paths[P] extends Record<M, unknown> ? P : never
}[keyof Paths]
type OperationOf<M extends Method, P extends keyof Paths> = Paths[P] extends Record<M, infer Op> ? Op : never

/** The answer of a call. */
export type Data<M extends Method, P extends keyof Paths> =
  OperationOf<M, P> extends { responses: { 200: { content: { 'application/json': infer Body } } } }
    ? Body
    : never

/** The input of a call, without the signal that cancels it. */
export type Input<M extends Method, P extends keyof Paths> = ParamsOf<OperationOf<M, P>> &
  BodyOf<OperationOf<M, P>>

type ParamsOf<Op> = Op extends { parameters: infer Params }
  ? {} extends Params
    ? { params?: Params }
    : { params: Params }
  : never
type BodyOf<Op> = Op extends { requestBody: { content: { 'application/json': infer Body } } }
  ? { body: Body }
  : Op extends { requestBody?: { content: { 'application/json': infer Body } } }
    ? { body?: Body }
    : { body?: never }

/** The input as an argument, with the signal that cancels the call. It may be left out if nothing is required. */
export type InputOf<M extends Method, P extends keyof Paths> =
  {} extends Input<M, P>
    ? [input?: Input<M, P> & { signal?: AbortSignal }]
    : [input: Input<M, P> & { signal?: AbortSignal }]

type Call<M extends Method> = <P extends PathOf<M>>(
  path: P,
  ...input: InputOf<M, P>
) => Promise<Answer<Data<M, P>>>

export interface SluiceClient {
  GET: Call<'get'>
  POST: Call<'post'>
  PATCH: Call<'patch'>
  PUT: Call<'put'>
  DELETE: Call<'delete'>
}

const MAX_WAIT_S = 10
const ATTEMPTS = 3

/** Untyped input, used once the types of a call are checked. */
interface AnyInput {
  params?: { path?: Values; query?: Values; header?: Values }
  body?: unknown
  signal?: AbortSignal
}
type Values = Record<string, unknown>

/**
 * Creates a client: `client.GET('/coins/{coinId}', { params: { path: { coinId: 'bitcoin' } } })`. Calls
 * reject with a SluiceError if the API answers with an error, and with the error of fetch if it cannot be
 * reached.
 *
 * After 429 and 503 the client waits for the time in Retry-After and tries again, with at most three
 * attempts. It repeats reads, and writes with an Idempotency-Key, which have one effect however often they
 * arrive.
 */
export function createSluiceClient({
  url,
  key,
  fetch: ask = globalThis.fetch,
  maxWaitS = MAX_WAIT_S,
}: ClientOptions): SluiceClient {
  async function call(method: string, path: string, input: AnyInput = {}): Promise<Answer<never>> {
    const request = requestOf(url, path, input)
    const { headers } = request
    // A misspelt parameter is an error and not ignored.
    headers.set('prefer', 'handling=strict')
    if (key !== undefined) headers.set('authorization', `Bearer ${key}`)
    if (input.body !== undefined) headers.set('content-type', 'application/json')
    const isRepeatable = method === 'GET' || headers.has('idempotency-key')
    for (let attempt = 1; ; attempt++) {
      const response = await ask(request.url, {
        method,
        headers,
        redirect: 'error',
        ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
        ...(input.signal && { signal: input.signal }),
      })
      // The interface declares the type.
      if (response.ok) return { data: (await response.json()) as never, response }
      const error = await errorOf(response)
      const { retryAfterS } = error
      if (!isRepeatable || attempt === ATTEMPTS || retryAfterS === null || retryAfterS > maxWaitS) throw error
      await wait(retryAfterS, input.signal)
    }
  }

  // The interface declares the input of each path; here any input is accepted.
  const bound =
    (method: string) =>
    (path: string, ...[input]: readonly unknown[]) =>
      call(method, path, input as AnyInput | undefined)
  return {
    GET: bound('GET'),
    POST: bound('POST'),
    PATCH: bound('PATCH'),
    PUT: bound('PUT'),
    DELETE: bound('DELETE'),
  }
}

function requestOf(url: string, path: string, { params = {} }: AnyInput): { url: string; headers: Headers } {
  const target = path.replace(/\{(\w+)\}/g, (_match, name: string) =>
    encodeURIComponent(segment(params.path?.[name])),
  )
  const fields = new URLSearchParams()
  for (const [name, value] of Object.entries(params.query ?? {}))
    if (value !== undefined) fields.set(name, textOf(value))
  const headers = new Headers()
  for (const [name, value] of Object.entries(params.header ?? {}))
    if (value !== undefined) headers.set(name, textOf(value))
  const query = fields.toString()
  return {
    url: `${url.replace(/\/+$/, '')}${target}${query === '' ? '' : `?${query}`}`,
    headers,
  }
}

/** Formats a value; the API takes lists as one comma-separated value. */
const textOf = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value))

/** Rejects `.` and `..`, which would change the path. */
function segment(value: unknown): string {
  const text = textOf(value)
  if (text === '' || text === '.' || text === '..') throw new TypeError(`"${text}" cannot be part of a path`)
  return text
}

const KINDS: Record<number, ErrorKind> = {
  400: 'invalid',
  401: 'unauthorized',
  402: 'payment',
  403: 'forbidden',
  404: 'not-found',
  409: 'not-synced',
  429: 'rate',
  503: 'unavailable',
}

/** Waiting does not help an account without credits, so the API names no time for it. */
function kindOf({ status, retryAfterS }: { status: number; retryAfterS: number | null }): ErrorKind {
  if (status === 429 && retryAfterS === null) return 'credits'
  return KINDS[status] ?? 'other'
}

async function errorOf(response: Response): Promise<SluiceError> {
  const body: unknown = await response.json().catch(() => null)
  const { message } = (body ?? {}) as { message?: unknown }
  const retryAfter = response.headers.get('retry-after')
  return new SluiceError({
    status: response.status,
    message: typeof message === 'string' ? message : `Status ${response.status}`,
    requestId: response.headers.get('x-request-id'),
    retryAfterS: retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null,
  })
}

function wait(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal!.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, seconds * 1_000)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
