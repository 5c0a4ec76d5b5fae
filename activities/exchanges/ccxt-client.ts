import type { Exchange } from 'ccxt'
import type { Credentials } from '../../db/values/exchanges.ts'
import type { ActivityDeps } from '../deps.ts'
import { SourceRejected, SourceUnavailable } from '../errors.ts'
import type { Answer } from '../http-client.ts'
import { loadCcxt } from './ccxt.ts'
import type { ExchangeSpec } from './exchange.ts'
import { missingOf } from './requirements.ts'

export type ClientDeps = Pick<ActivityDeps, 'http' | 'config'>

/** How long the markets and the clock offset of an exchange are used before they are read again. */
const KEEP_MS = 3_600_000

/** CCXT clients. All accounts of a process share the markets and clock offset of an exchange. */
export interface Clients {
  open: (spec: ExchangeSpec, credentials: Credentials) => Promise<Exchange>
  /** Makes the next use read markets and clock of the exchange again. */
  forget: (spec: ExchangeSpec) => void
}

export function createClients(deps: ClientDeps): Clients {
  const shared = new Map<string, { atMs: number; client: Promise<Exchange> }>()

  /** A client without credentials, with markets and clock offset of the exchange. */
  function publicClient(spec: ExchangeSpec): Promise<Exchange> {
    const { name } = spec.source
    const known = shared.get(name)
    if (known && performance.now() - known.atMs < KEEP_MS) return known.client
    const client = loadPublic(deps, spec)
    shared.set(name, { atMs: performance.now(), client })
    // A failure reaches only the current callers; the next call tries again.
    client.catch(() => shared.delete(name))
    return client
  }

  async function open(spec: ExchangeSpec, credentials: Credentials): Promise<Exchange> {
    const source = await publicClient(spec)
    const client = await openClient(deps, spec, credentials)
    client.setMarketsFromExchange(source)
    for (const name of spec.loads?.options ?? []) client.options[name] = source.options[name]
    if (spec.signsTime) client.options['timeDifference'] = source.options['timeDifference'] ?? 0
    return client
  }

  return { open, forget: (spec) => void shared.delete(spec.source.name) }
}

async function loadPublic(deps: ClientDeps, spec: ExchangeSpec): Promise<Exchange> {
  const client = await openClient(deps, spec, null)
  const missing = missingOf(client)
  if (missing.length > 0)
    throw new SourceRejected(spec.source.name, `its class of CCXT does not declare ${missing.join(', ')}`)
  await client.loadMarkets()
  if (spec.signsTime) await client.loadTimeDifference()
  return client
}

/** CCXT's class of an exchange. Its requests go through the HTTP client of all sources. */
export async function openClient(
  deps: ClientDeps,
  spec: ExchangeSpec,
  credentials: Credentials | null,
): Promise<Exchange> {
  const { name } = spec.source
  const base = deps.config.sources[name]?.url
  if (base === undefined) throw new SourceRejected(name, 'this source is off')
  const { default: classes } = await loadCcxt()
  const client: Exchange = new classes[name as 'binance']({
    ...(credentials && {
      apiKey: credentials.apiKey,
      secret: credentials.apiSecret,
      password: credentials.passphrase,
    }),
    // Keeps numbers as text: a double would round amounts.
    number: String,
    // The shared gate spaces the requests of all workers.
    enableRateLimit: false,
    options: spec.options,
    fetchImplementation: exchangeFetch(deps, name),
    ...FETCH_ERRORS,
  })
  client.urls['api'] = below(base, client.urls['api'])
  const { markets, currencies } = spec.loads ?? {}
  if (markets) client.fetchMarkets = (client as unknown as Record<string, Exchange['fetchMarkets']>)[markets]!
  if (currencies === false) client.has['fetchCurrencies'] = false
  return client
}

/**
 * Error classes that CCXT checks. Errors of the shared client match neither: they say themselves whether to
 * retry.
 */
const FETCH_ERRORS = { AbortError: DOMException, FetchError: TypeError }

function exchangeFetch({ http }: ClientDeps, source: string) {
  return async (
    url: string,
    init: { method?: string; headers?: Record<string, string>; body?: string },
  ): Promise<Response> => {
    const { method = 'GET', headers = {}, body } = init
    const answer = await http.send({
      source,
      url,
      method,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      ...(body !== undefined && { text: body }),
    })
    // CCXT would ask again, and later say that nothing was found.
    if (isFromElsewhere(answer))
      throw new SourceRejected(
        source,
        `it does not serve the address of this installation (status ${answer.status})`,
      )
    // CCXT would read a gateway's page or a truncated answer as an empty list.
    if (answer.status < 300 && !isJson(answer.text))
      throw new SourceUnavailable(source, `no JSON: ${answer.text.slice(0, 80)}`)
    const { 'content-encoding': _decoded, 'content-length': _length, ...rest } = answer.headers
    return new Response([204, 304].includes(answer.status) ? null : answer.text, {
      status: answer.status,
      headers: rest,
    })
  }
}

/** A refusal by country, in the exchange's words or as the page of its gateway. A refused key is told in JSON. */
const isFromElsewhere = ({ status, text }: Answer): boolean =>
  status === 451 || (status === 403 && !isJson(text))

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Moves all URLs of the class, however nested, to another origin and keeps their paths. */
function below<T>(base: string, urls: T): T {
  if (typeof urls === 'string')
    return (base + new URL(urls.replace('{hostname}', 'host')).pathname.replace(/\/$/, '')) as T
  if (typeof urls !== 'object' || urls === null) return urls
  return Object.fromEntries(Object.entries(urls).map(([name, value]) => [name, below(base, value)])) as T
}
