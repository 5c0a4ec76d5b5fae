import { HttpRequestError, ResponseBodyTooLargeError } from 'viem'
import { getHttpRpcClient } from 'viem/utils'
import { SourceRejected, SourceUnavailable } from './errors.ts'

export interface RpcCall {
  method: string
  params: readonly unknown[]
}

/** One answer of a batch. An error of one call does not fail the others. */
export type RpcAnswer = { result: unknown } | { error: Error }

/** A JSON-RPC node. `batch` and `call` throw SourceUnavailable, SourceRejected or ResponseTooLarge. */
export interface RpcClient {
  source: string
  send: (calls: readonly RpcCall[]) => Promise<RpcAnswer[]>
  batch: (calls: readonly RpcCall[]) => Promise<unknown[]>
  call: (method: string, ...params: unknown[]) => Promise<unknown>
}

/** The answer to one call exceeds 10 MiB: request a smaller range. */
export class ResponseTooLarge extends SourceRejected {}

const CALLS_PER_REQUEST = 100
const REQUESTS_AT_ONCE = 2
const TRANSIENT_CODES = new Set([-32603, -32005, -32002, 429])
const TRANSIENT_TEXT = /rate limit|too many requests|timeout|timed out|header not found|no backend|try again/i
const REVERTED = /revert|invalid opcode|out of gas/i

/** Uses viem's HTTP transport without its retries, because Temporal retries. */
export function createRpcClient(options: { url: string; source: string; timeoutMs?: number }): RpcClient {
  const { source } = options
  const http = getHttpRpcClient(options.url, { timeout: options.timeoutMs ?? 20_000 })
  let nextId = 1

  async function request(calls: readonly RpcCall[]): Promise<RpcAnswer[]> {
    const body = calls.map(({ method, params }) => ({
      jsonrpc: '2.0' as const,
      id: nextId++,
      method,
      params,
    }))
    let answers
    try {
      answers = await http.request({ body })
    } catch (error) {
      if (!(error instanceof ResponseBodyTooLargeError)) throw transportError(source, error)
      if (calls.length === 1) return [{ error: new ResponseTooLarge(source, 'response size exceeds 10 MiB') }]
      const middle = Math.ceil(calls.length / 2)
      return [...(await request(calls.slice(0, middle))), ...(await request(calls.slice(middle)))]
    }
    // A node that rejects the whole batch answers with one object.
    if (!Array.isArray(answers)) throw rpcError(source, 'batch', answers)
    const byId = new Map(answers.map((answer) => [answer.id, answer]))
    return body.map(({ id, method }) => {
      const answer = byId.get(id) as { result?: unknown; error?: unknown } | undefined
      if (answer && answer.error === undefined && 'result' in answer) return { result: answer.result }
      return { error: rpcError(source, method, answer) }
    })
  }

  async function send(calls: readonly RpcCall[]): Promise<RpcAnswer[]> {
    const parts: RpcCall[][] = []
    for (let i = 0; i < calls.length; i += CALLS_PER_REQUEST)
      parts.push(calls.slice(i, i + CALLS_PER_REQUEST))
    const answers: RpcAnswer[][] = []
    for (let i = 0; i < parts.length; i += REQUESTS_AT_ONCE)
      answers.push(...(await Promise.all(parts.slice(i, i + REQUESTS_AT_ONCE).map(request))))
    return answers.flat()
  }

  async function batch(calls: readonly RpcCall[]): Promise<unknown[]> {
    return (await send(calls)).map((answer) => {
      if ('error' in answer) throw answer.error
      return answer.result
    })
  }

  return { source, send, batch, call: async (method, ...params) => (await batch([{ method, params }]))[0] }
}

function rpcError(source: string, method: string, answer: unknown): Error {
  const error = (answer as { error?: { code?: number; message?: string } } | undefined)?.error
  if (!error) return new SourceUnavailable(source, `no answer to ${method}`)
  const reason = `${method}: ${error.message ?? 'error without a message'} (${error.code ?? 'no code'})`
  const text = error.message ?? ''
  const transient =
    (TRANSIENT_CODES.has(error.code ?? 0) || TRANSIENT_TEXT.test(text)) && !REVERTED.test(text)
  return transient ? new SourceUnavailable(source, reason) : new SourceRejected(source, reason)
}

function transportError(source: string, error: unknown): Error {
  const status = error instanceof HttpRequestError ? error.status : undefined
  const reason = error instanceof Error ? firstLine(error.message) : String(error)
  if (status === undefined || status === 408 || status === 429 || status >= 500) {
    const after = error instanceof HttpRequestError ? error.headers?.get('retry-after') : undefined
    const seconds = after === null || after === undefined ? NaN : Number(after)
    return new SourceUnavailable(source, reason, Number.isFinite(seconds) ? seconds * 1_000 : null)
  }
  return new SourceRejected(source, `${status}: ${reason}`)
}

/** The further lines of viem's messages hold the URL, which may contain a key, and the request body. */
function firstLine(text: string): string {
  return text.split('\n', 1)[0]!
}
