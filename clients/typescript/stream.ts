import type { EventType, SluiceEvent } from './events.ts'
import { errorOf, type SluiceError } from './errors.ts'
import { wait } from './wait.ts'

// These files have no dependencies and run wherever fetch exists.

export interface StreamOptions<Type extends EventType = EventType> {
  /** Address of the API, such as http://127.0.0.1:8080/v1 */
  url: string
  /** An API key, or a bearer token of the OpenID provider of the installation. */
  key: string
  /** Only these types; absent: all */
  types?: readonly Type[]
  /** Only these wallets; absent: those among your portfolios */
  addresses?: readonly string[]
  /** `seq` of the last event that you have. Absent: the stream begins with what happens from now on. */
  after?: string
  /** Ends the stream. */
  signal?: AbortSignal
  /** Used instead of the global one. */
  fetch?: typeof fetch
}

/** Pause before a stream is opened again, in seconds. The service says how long; this is for one that was never reached. */
const PAUSE_S = 3
const LONGEST_PAUSE_S = 60
/** A stream says something every 15 seconds. */
const SILENCE_S = 45
/** Events that may come again after a break. */
const REMEMBERED = 10_000

/**
 * Yields each event once as it happens. A stream that ends or breaks is opened again after the last event, so that none is
 * missing. Throws a SluiceError if the API refuses and waiting does not help, such as `gone`: events after `after` are no
 * longer kept.
 */
export async function* streamEvents<Type extends EventType>(
  options: StreamOptions<Type>,
): AsyncGenerator<SluiceEvent<Type>, void, void> {
  const { signal } = options
  // Outside of what is tried again: an address that is none throws.
  const address = addressOf(options)
  const seen = new Set<string>()
  let { after } = options
  let failures = 0
  while (!signal?.aborted) {
    let pauseS: number
    try {
      for await (const { id, event } of openOnce<Type>(address, options, after)) {
        after = id ?? after
        if (!event) continue
        failures = 0
        if (seen.has(event.id)) continue
        seen.add(event.id)
        if (seen.size > REMEMBERED) seen.delete(seen.values().next().value!)
        yield event
      }
      pauseS = PAUSE_S
    } catch (error) {
      if (signal?.aborted) return
      if (isFinal(error)) throw error
      failures++
      pauseS = (error as Partial<SluiceError>).retryAfterS ?? Math.min(LONGEST_PAUSE_S, PAUSE_S * failures)
    }
    await wait(pauseS, signal).catch(() => {})
  }
}

/** A refusal that waiting does not change. An error without a status is a connection that broke. */
function isFinal(error: unknown): boolean {
  const { status, kind } = error as Partial<SluiceError>
  return status !== undefined && status < 500 && kind !== 'rate'
}

function addressOf({ url, types, addresses }: Pick<StreamOptions, 'url' | 'types' | 'addresses'>): URL {
  const address = new URL(`${url.replace(/\/+$/, '')}/events/stream`)
  if (types) address.searchParams.set('types', types.join(','))
  if (addresses) address.searchParams.set('addresses', addresses.join(','))
  return address
}

/** The blocks of one connection. The first has the number after which the stream begins, and no event. */
async function* openOnce<Type extends EventType>(
  address: URL,
  { key, signal, fetch: ownFetch }: StreamOptions<Type>,
  after: string | undefined,
): AsyncGenerator<{ id?: string | undefined; event?: SluiceEvent<Type> }> {
  const silence = new AbortController()
  const stop = () => silence.abort(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  let timer = setTimeout(() => silence.abort(new Error('the stream is silent')), SILENCE_S * 1_000)
  try {
    const response = await (ownFetch ?? globalThis.fetch)(address, {
      headers: {
        authorization: `Bearer ${key}`,
        // A misspelt parameter is an error and not ignored.
        prefer: 'handling=strict',
        ...(after !== undefined && { 'last-event-id': after }),
      },
      redirect: 'error',
      signal: silence.signal,
    })
    if (!response.ok) throw await errorOf(response)
    const reader = response.body!.getReader()
    const decoder = new TextDecoder()
    let text = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(new Error('the stream is silent')), SILENCE_S * 1_000)
      text += decoder.decode(value, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop()!
      for (const block of blocks) {
        // A dot and an anchor would also stop at U+2028, which is an end of line for JavaScript alone.
        const id = /(?:^|\n)id: ([^\n]*)/.exec(block)?.[1]
        const data = /(?:^|\n)data: ([^\n]*)/.exec(block)?.[1]
        yield { id, ...(data !== undefined && { event: JSON.parse(data) as SluiceEvent<Type> }) }
      }
    }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
    silence.abort()
  }
}
