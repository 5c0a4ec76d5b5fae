import type { Paths } from './api-types.ts'
import { sendUntilAnswered, type Terms } from './attempts.ts'

// These files have no dependencies and run wherever fetch exists.

export interface ClientOptions {
  /** Address of the API, such as http://127.0.0.1:8080/v1 */
  url: string
  /** An API key, or a bearer token of the OpenID provider of the installation. */
  key?: string
  /**
   * Used instead of the global one, such as one with a proxy. Calls that it rejects are not sent again, because it may be
   * one that pays.
   */
  fetch?: typeof fetch
  /** Makes the headers that pay for a call from the answer 402 that asks for it, at the gateway. A call is paid once. */
  pay?: Terms['pay']
  /** Longest wait in seconds before a retry that the API asks for. 0: no retries. Default: 10. */
  maxWaitS?: number
}

export interface Answer<Data> {
  data: Data
  response: Response
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
 * The client tries three times at most. It waits for the time in Retry-After, and with growing pauses after 503
 * without it and after a connection that broke. It repeats reads, and writes with an Idempotency-Key, which have
 * one effect however often they arrive. While RateLimit says that no call is left, the next one waits.
 */
export function createSluiceClient({
  url,
  key,
  fetch: ownFetch,
  pay,
  maxWaitS = MAX_WAIT_S,
}: ClientOptions): SluiceClient {
  const ask = ownFetch ?? globalThis.fetch
  const terms: Terms = { maxWaitS, pay, repeatsLost: ownFetch === undefined, freeAtMs: 0 }

  async function call(method: string, path: string, input: AnyInput = {}): Promise<Answer<never>> {
    const request = requestOf(url, path, input)
    const { headers } = request
    const { signal } = input
    // A misspelt parameter is an error and not ignored.
    headers.set('prefer', 'handling=strict')
    if (key !== undefined) headers.set('authorization', `Bearer ${key}`)
    if (input.body !== undefined) headers.set('content-type', 'application/json')
    const send = (current: Headers) =>
      ask(request.url, {
        method,
        headers: current,
        redirect: 'error',
        ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
        ...(signal && { signal }),
      })
    const isRepeatable = method === 'GET' || headers.has('idempotency-key')
    const response = await sendUntilAnswered({ send, headers, isRepeatable, signal }, terms)
    // The interface declares the type.
    return { data: (await response.json()) as never, response }
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
