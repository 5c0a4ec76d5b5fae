import { getGlobalDispatcher } from 'undici'
import { SourceRejected, SourceUnavailable } from '../errors.ts'
import { exchange } from '../exchange.ts'
import { retryAfterMs } from '../retry-after.ts'
import { refusalError, ResponseTooLarge } from './rpc.ts'
import type { RpcAnswer, RpcCall } from './rpc.ts'
import { readRefusal } from './rpc-refusal.ts'

const MIB = 1024 * 1024
/** Of a batch, and of logs: those can be asked for in smaller parts. */
const MOST_BYTES = 10 * MIB
/** Of one block or its receipts, which have no parts. */
const MOST_BLOCK_BYTES = 64 * MIB

const TRANSIENT_CODES = new Set([-32603, -32002, 429])
const TRANSIENT_TEXT = /timeout|timed out|no backend|try again/i
const REVERTED = /revert|invalid opcode|out of gas/i

interface RpcBody {
  id?: unknown
  result?: unknown
  error?: { code?: unknown; message?: unknown }
}

/**
 * Sends calls to one URL in one request: one call alone, several as a batch. A batch that is refused as a
 * whole throws; the error of one call is its answer.
 */
export function createRpcTransport(options: {
  url: string
  source: string
  timeoutMs: number
}): (calls: readonly RpcCall[]) => Promise<RpcAnswer[]> {
  const { source, timeoutMs } = options
  const { url, headers } = splitUrl(options.url)
  let nextId = 1

  async function ask(calls: readonly RpcCall[]): Promise<RpcAnswer[]> {
    const bodies = calls.map(({ method, params }) => ({ jsonrpc: '2.0', id: nextId++, method, params }))
    const isAlone = calls.length === 1
    const answer = await exchange({
      source,
      url,
      headers,
      body: isAlone ? bodies[0] : bodies,
      agent: getGlobalDispatcher(),
      deadlineMs: timeoutMs,
      maxBytes: isAlone && calls[0]!.method !== 'eth_getLogs' ? MOST_BLOCK_BYTES : MOST_BYTES,
    })
    const parsed = parse(answer.text)
    const context = { source, status: answer.status, waitMs: retryAfterMs(answer.headers, Date.now()) }
    if (parsed === null) throw httpError(context, answer.text)
    const list = [parsed].flat() as RpcBody[]
    // A node that refuses a whole batch answers with one object, or with a list and an error status.
    if (!isAlone && (!Array.isArray(parsed) || answer.status >= 400))
      throw rpcError(context, { method: 'batch', params: [] }, list[0])
    if (isAlone) return [answerOf(context, calls[0]!, list[0])]
    const byId = new Map(list.map((one) => [one.id, one]))
    return bodies.map(({ id }, i) => answerOf(context, calls[i]!, byId.get(id)))
  }

  return async function request(calls): Promise<RpcAnswer[]> {
    try {
      return await ask(calls)
    } catch (error) {
      // exchange() throws it only for an answer that is too large.
      if (!(error instanceof SourceRejected) || !error.message.includes('answer is over')) throw error
      if (calls.length === 1) return [{ error: new ResponseTooLarge(source, 'the answer is too large') }]
      const middle = Math.ceil(calls.length / 2)
      return [...(await request(calls.slice(0, middle))), ...(await request(calls.slice(middle)))]
    }
  }
}

interface Context {
  source: string
  status: number
  waitMs: number | null
}

function answerOf(context: Context, call: RpcCall, body: RpcBody | undefined): RpcAnswer {
  if (body && body.error === undefined && 'result' in body) return { result: body.result }
  return { error: rpcError(context, call, body) }
}

/** Some vendors refuse with the error alone, outside of a JSON-RPC body. */
function rpcError({ source, status, waitMs }: Context, call: RpcCall, body: RpcBody | undefined): Error {
  const error = body?.error ?? (body as RpcBody['error'])
  if (!error || (error.message === undefined && error.code === undefined))
    return new SourceUnavailable(source, `no answer to ${call.method}`)
  const message = typeof error.message === 'string' ? error.message : 'error without a message'
  const code = typeof error.code === 'number' ? error.code : null
  const reason = `${call.method}: ${message} (${code ?? 'no code'})`
  const { fromBlock, toBlock } = (call.params[0] ?? {}) as { fromBlock?: string; toBlock?: string }
  const asked = { method: call.method, status, code, message }
  const refusal = readRefusal({
    ...asked,
    fromBlock: fromBlock === undefined ? undefined : Number(fromBlock),
    toBlock: toBlock === undefined ? undefined : Number(toBlock),
  })
  if (refusal) return refusalError(source, reason, { refusal, retryAfterMs: waitMs })
  const isTransient =
    (TRANSIENT_CODES.has(code ?? 0) || TRANSIENT_TEXT.test(message)) && !REVERTED.test(message)
  return isTransient ? new SourceUnavailable(source, reason) : new SourceRejected(source, reason)
}

/** For an answer without JSON, such as a page of a gateway. */
function httpError({ source, status, waitMs }: Context, text: string): Error {
  const reason = `status ${status} without JSON`
  const refusal = readRefusal({ method: 'request', status, code: null, message: text.slice(0, 200) })
  if (refusal && status >= 400) return refusalError(source, reason, { refusal, retryAfterMs: waitMs })
  const isFinal = status >= 400 && status < 500
  return isFinal ? new SourceRejected(source, reason) : new SourceUnavailable(source, reason, waitMs)
}

function parse(text: string): RpcBody | RpcBody[] | null {
  try {
    const parsed = JSON.parse(text) as unknown
    return typeof parsed === 'object' ? (parsed as RpcBody | RpcBody[] | null) : null
  } catch {
    return null
  }
}

/** A user and password in the URL are sent as a header, as browsers and curl do. */
function splitUrl(text: string): { url: string; headers: Record<string, string> } {
  const url = new URL(text)
  const { username, password } = url
  if (username === '') return { url: text, headers: {} }
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  url.username = ''
  url.password = ''
  return { url: url.href, headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } }
}
