import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from 'undici'
import { NotInPlan, SourceRejected, SourceUnavailable } from './errors.ts'
import { parseExactJson } from './exact-json.ts'
import { exchange } from './exchange.ts'
import { NETWORK_IN_URL } from './http-client.ts'
import type { Answer, HttpClient, RawRequest, SourceRequest, TextRequest } from './http-client.ts'
import type { Tracer } from '../ops/telemetry/tracer.ts'
import { describeIssues } from './parse-rows.ts'
import type { Exchanged } from './record-fixture.ts'
import { retryAfterMs } from './retry-after.ts'
import type { SourceGate } from './source-gate.ts'

type Asked = Pick<
  SourceRequest<unknown>,
  'source' | 'url' | 'headers' | 'body' | 'secret' | 'operation' | 'waitMs' | 'deadlineMs' | 'refuse'
> &
  Pick<TextRequest<unknown>, 'as'>

interface HttpDeps {
  gate: SourceGate
  /** Base URL of each source that is on. Requests may only go to its origin. */
  sources: Record<string, { url: string }>
  /** Returns 0 to 1, for the jitter of the back-off. */
  random: () => number
  /** Limit of one attempt, from connecting to the last byte. */
  deadlineMs?: number
  /** Limit of the body after decompression. */
  maxBytes?: number
  /** Record mode: called with each answer. */
  record?: (exchanged: Exchanged) => Promise<unknown>
  /** Called with each answer that has a status of success, and whether the adapter reads it. Must not throw. */
  watch?: (answered: Exchanged & { fits: boolean }) => void
  /** Creates a span per request. Spans name only the source, because URLs may hold keys. */
  tracer?: Tracer | null
}

const ATTEMPTS = 3
const FIRST_PAUSE_MS = 250

export function createHttpClient(deps: HttpDeps): HttpClient {
  const {
    gate,
    sources,
    random,
    deadlineMs = 30_000,
    maxBytes = 32 * 1024 * 1024,
    record,
    watch,
    tracer,
  } = deps
  const agent = new Agent({ connect: { timeout: Math.min(10_000, deadlineMs) }, connections: 16 })

  function ask(request: Asked | RawRequest): Promise<Answer> {
    const work = () => exchange({ agent, deadlineMs, maxBytes, ...request })
    if (!tracer?.current()) return work()
    const attributes = { 'peer.service': request.source }
    return tracer.run({ name: `request ${request.source}`, kind: 'client', attributes }, work)
  }

  async function fetchAnswer<T>(request: Asked, read: (answer: Answer) => T): Promise<T> {
    const { source, secret } = request
    const hide = (text: string) => (secret ? text.replaceAll(secret, 'KEY') : text)
    checkOrigin(sources[source], request)
    for (let attempt = 1; ; attempt++) {
      await gate.admit(source, request.url)
      try {
        const given = await ask(request)
        const answer = { ...given, text: hide(given.text) }
        await record?.({ request, answer, configured: sources[source]!.url })
        refuseStatus(request, answer)
        const value = read(answer)
        await gate.succeeded(source)
        return value
      } catch (error) {
        if (error instanceof SourceRejected)
          await gate.failed({ source, reason: error.message, retryAfterMs: null, answered: true })
        if (!(error instanceof SourceUnavailable)) throw error
        await gate.failed({ source, reason: error.message, retryAfterMs: error.retryAfterMs })
        if (attempt === ATTEMPTS) throw error
      }
      // Full jitter: callers that failed together do not retry together.
      await sleep(random() * FIRST_PAUSE_MS * 4 ** (attempt - 1))
    }
  }

  function noteAnswer(request: Asked, answer: Answer, fits: boolean): void {
    watch?.({ request, answer, configured: sources[request.source]!.url, fits })
  }

  function readText<T>(request: Asked, answer: Answer, read: (answer: Answer) => T): T {
    const note = (fits: boolean) => isSuccess(answer.status) && noteAnswer(request, answer, fits)
    try {
      const value = read(answer)
      note(true)
      return value
    } catch (error) {
      if (error instanceof SourceRejected) note(false)
      throw error
    }
  }

  async function send(request: RawRequest): Promise<Answer> {
    const { source } = request
    checkOrigin(sources[source], request)
    await gate.admit(source, request.url)
    try {
      const answer = await ask(request)
      const wait = retryAfterMs(answer.headers, Date.now())
      if (asksToWait(answer.status))
        await gate.failed({ source, reason: `status ${answer.status}`, retryAfterMs: wait })
      else await gate.succeeded(source)
      return answer
    } catch (error) {
      if (error instanceof SourceUnavailable)
        await gate.failed({ source, reason: error.message, retryAfterMs: error.retryAfterMs })
      throw error
    }
  }

  return {
    send,
    fetchJson: (request) =>
      fetchAnswer(request, (answer) =>
        readJson(request, answer, (fits) => noteAnswer(request, answer, fits)),
      ),
    fetchText: ({ read, ...request }) => fetchAnswer(request, (answer) => readText(request, answer, read)),
    close: () => agent.close(),
  }
}

/** A name that adds no part to a host. */
const NETWORK_NAME = /^[a-z0-9-]+$/

function isOriginOf(baseUrl: string, origin: string): boolean {
  const own = new URL(baseUrl).origin
  const [before, after] = own.split(NETWORK_IN_URL) as [string, string?]
  if (after === undefined) return origin === own
  const name = origin.slice(before.length, origin.length - after.length)
  return NETWORK_NAME.test(name) && origin === `${before}${name}${after}`
}

function checkOrigin(base: { url: string } | undefined, { source, url }: Asked): void {
  if (!base) throw new SourceRejected(source, 'this source is off')
  const { origin } = new URL(url)
  if (!isOriginOf(base.url, origin))
    throw new SourceRejected(source, `${origin} is not the origin of this source`)
}

const isSuccess = (status: number) => status >= 200 && status < 300

/** 418: Binance to clients that ignored its 429. */
const asksToWait = (status: number) => [408, 418, 429].includes(status) || status >= 500

function refuseStatus({ source, waitMs, refuse }: Asked, { status, headers, text }: Answer): void {
  if (!asksToWait(status)) return
  const wait = waitMs?.(headers) ?? retryAfterMs(headers, Date.now()) ?? waitInBody(refuse, text)
  throw new SourceUnavailable(source, status === 429 ? 'rate limit (429)' : `status ${status}`, wait)
}

/** How long a body asks to wait, which may be until the end of a day or month. */
function waitInBody(refuse: Asked['refuse'], text: string): number | null {
  if (!refuse) return null
  try {
    return refuse(parseExactJson(text))?.waitMs ?? null
  } catch {
    return null
  }
}

/**
 * 401 and 403: the key is not accepted. 402: the allowance is spent, or the plan lacks this. 451: not from the
 * country of this address.
 */
const isOfPlan = (status: number) => (status >= 401 && status <= 403) || status === 451

function readJson<T>(request: SourceRequest<T>, answer: Answer, note: (fits: boolean) => void): T {
  const { source, schema, refuse } = request
  const { status, text } = answer
  const body = parseBody(source, answer)
  const refusal = refuse?.(body) ?? null
  if (refusal?.later) throw new SourceUnavailable(source, refusal.reason, refusal.waitMs ?? null)
  if (refusal)
    throw new (refusal.plan || isOfPlan(status) ? NotInPlan : SourceRejected)(source, refusal.reason)
  if (!isSuccess(status))
    throw new (isOfPlan(status) ? NotInPlan : SourceRejected)(
      source,
      `status ${status}: ${text.slice(0, 200)}`,
    )
  const parsed = schema.safeParse(body)
  note(parsed.success)
  if (!parsed.success) throw new SourceRejected(source, `unexpected answer: ${describeIssues(parsed.error)}`)
  return parsed.data
}

/** An HTML page of a gateway or a truncated body is worth a retry. An error status without JSON is not. */
function parseBody(source: string, { status, text }: Answer): unknown {
  try {
    return parseExactJson(text)
  } catch {
    if (status >= 300) return null
    throw new SourceUnavailable(source, `no JSON: ${text.slice(0, 80)}`)
  }
}
