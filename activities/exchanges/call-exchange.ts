import type { Exchange } from 'ccxt'
import { SourceRejected, SourceUnavailable } from '../errors.ts'
import { retryAfterMs } from '../retry-after.ts'
import { loadCcxt } from './ccxt.ts'

/** The exchange refuses the key, or this use of it. */
export class KeyRefused extends SourceRejected {}

/** The exchange delisted the symbol. */
export class SymbolGone extends SourceRejected {}

const SECRETS = ['apiKey', 'secret', 'password'] as const

/**
 * Runs requests of a client. Turns CCXT's errors into the errors of all sources: retry, retry later, or do
 * not retry. Removes credentials and signed URLs from messages.
 */
export async function callExchange<T>(
  exchange: { source: string; client: Exchange; forgetClock: () => void },
  call: (client: Exchange) => Promise<T>,
): Promise<T> {
  const { source, client } = exchange
  try {
    return await call(client)
  } catch (error) {
    if (error instanceof SourceUnavailable || error instanceof SourceRejected) throw error
    if (error instanceof RangeError) throw new SourceRejected(source, error.message)
    const reason = reasonOf(error, client)
    const errors = await loadCcxt()
    if (error instanceof errors.InvalidNonce) exchange.forgetClock()
    if (error instanceof errors.NetworkError)
      throw new SourceUnavailable(source, reason, retryAfterMs(lastHeaders(client), Date.now()))
    if (error instanceof errors.AuthenticationError) throw new KeyRefused(source, reason)
    if (error instanceof errors.BadSymbol) throw new SymbolGone(source, reason)
    throw new SourceRejected(source, reason)
  }
}

/** Class and message of the error, without URLs and credentials. */
function reasonOf(error: unknown, client: Exchange): string {
  if (!(error instanceof Error)) return 'unknown error'
  const text = SECRETS.reduce((message, name) => {
    const secret: unknown = client[name]
    return typeof secret === 'string' && secret !== '' ? message.replaceAll(secret, '***') : message
  }, error.message)
  return `${error.name}: ${text.replace(/https?:\/\/\S+/g, '').slice(0, 200)}`
}

function lastHeaders(client: Exchange): Record<string, string> {
  const headers = (client.last_response_headers ?? client.lastResponseHeaders ?? {}) as Record<
    string,
    unknown
  >
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  )
}
