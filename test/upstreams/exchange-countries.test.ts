import { describe, expect, onTestFinished, test } from 'vitest'
import { callExchange } from '../../activities/exchanges/call-exchange.ts'
import { openClient } from '../../activities/exchanges/ccxt-client.ts'
import { exchangeSpec } from '../../activities/exchanges/exchanges.ts'
import { SourceRejected, SourceUnavailable } from '../../activities/errors.ts'
import { createHttpClient } from '../../activities/http.ts'
import { stopLater } from './actors.ts'
import { startDouble } from './double.ts'
import type { Reply } from './double.ts'

// Exchanges that do not serve the country of an address (section 8 of the facts about upstreams).

const OPEN_GATE = { admit: async () => {}, succeeded: async () => {}, failed: async () => {} }
const credentials = { apiKey: 'key', apiSecret: 'c2VjcmV0', passphrase: null }

async function balancesFrom(exchange: 'binance' | 'kraken', reply: Reply): Promise<unknown> {
  const double = stopLater(await startDouble(() => reply))
  const sources = { [exchange]: { url: double.url, key: null, requestsPerSecond: 1, burst: 1 } }
  const http = createHttpClient({ gate: OPEN_GATE, sources, random: () => 0 })
  onTestFinished(() => http.close())
  const spec = exchangeSpec(exchange)
  const client = await openClient({ http, config: { sources } as never }, spec, credentials as never)
  const called = callExchange({ source: exchange, client, forgetClock: () => {} }, (one) =>
    one.fetchBalance(),
  )
  const error = await called.then(
    () => null,
    (reason: unknown) => reason,
  )
  return error
}

describe('an exchange that does not serve the country of this address', () => {
  test.each([
    [
      'binance',
      451,
      `{"code":0,"msg":"Service unavailable from a restricted location according to 'b. Eligibility' in https://www.binance.com/en/terms. Please contact customer service if you believe you received this message in error."}`,
    ],
    ['kraken', 403, '<!DOCTYPE html><title>Attention Required! | Cloudflare</title>'],
  ] as const)('%s by %i is a refusal, which is not asked again', async (exchange, status, body) => {
    const error = await balancesFrom(exchange, { status, body })
    expect(error).toBeInstanceOf(SourceRejected)
    expect((error as Error).message).toBe(
      `${exchange}: it does not serve the address of this installation (status ${status})`,
    )
  })

  test('Kraken by its rate, with status 200, is asked again later', async () => {
    const error = await balancesFrom('kraken', { body: '{"error":["EAPI:Rate limit exceeded"]}' })
    expect(error).toBeInstanceOf(SourceUnavailable)
  })
})
