import { setTimeout as sleep } from 'node:timers/promises'
import {
  AuthenticationError,
  BadSymbol,
  type Exchange,
  ExchangeError,
  InvalidNonce,
  NetworkError,
} from 'ccxt'
import { expect, test } from 'vitest'
import { SourceRejected, SourceUnavailable } from '../../activities/errors.ts'
import { callExchange, KeyRefused, SymbolGone } from '../../activities/exchanges/call-exchange.ts'

/** What a call becomes, and whether the clock of the exchange is read again. */
async function outcomeOf(error: unknown, told: Record<string, unknown> = {}) {
  let forgot = false
  const client = { apiKey: 'key-1', secret: 'secret-1', password: '', ...told } as unknown as Exchange
  const exchange = { source: 'binance', client, forgetClock: () => void (forgot = true) }
  const failure: unknown = await callExchange(exchange, async () => {
    await sleep(0)
    throw error
  }).catch((caught: unknown) => caught)
  return { failure: failure as SourceUnavailable, forgot }
}

test.each([
  ['a network error', new NetworkError('down'), SourceUnavailable, false],
  ['a wrong clock', new InvalidNonce('late'), SourceUnavailable, true],
  ['a refused key', new AuthenticationError('no'), KeyRefused, false],
  ['a delisted symbol', new BadSymbol('gone'), SymbolGone, false],
  ['another refusal', new ExchangeError('no'), SourceRejected, false],
  ['an answer that cannot be read', new RangeError('an answer that is no list'), SourceRejected, false],
  ['something that is no error', 'text', SourceRejected, false],
] as const)('%s', async (_, error, expected, forgets) => {
  const { failure, forgot } = await outcomeOf(error)
  expect(failure.constructor).toBe(expected)
  expect(forgot).toBe(forgets)
})

test('errors of the shared client pass as they are', async () => {
  for (const error of [new SourceUnavailable('binance', 'busy', 5), new SourceRejected('binance', 'off')])
    expect((await outcomeOf(error)).failure).toBe(error)
})

test('a wait that the exchange asks for is kept, and its words are without addresses and secrets', async () => {
  const told = { last_response_headers: { 'Retry-After': '7' } }
  const error = new NetworkError('key-1 and secret-1 at https://host.test/path?signature=x failed')
  const { failure } = await outcomeOf(error, told)
  expect(failure.retryAfterMs).toBe(7_000)
  expect(failure.message).toBe('binance: NetworkError: *** and *** at  failed')
  expect((await outcomeOf(error)).failure.retryAfterMs).toBeNull()
})

test('an answer passes', async () => {
  const exchange = { source: 'binance', client: {} as Exchange, forgetClock: () => {} }
  expect(await callExchange(exchange, async () => Promise.resolve(7))).toBe(7)
})
