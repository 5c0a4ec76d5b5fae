import ccxt, { type Exchange } from 'ccxt'
import { describe, expect, test } from 'vitest'
import { EXCHANGE_SPECS } from '../../activities/exchanges/exchanges.ts'
import { streamsOf } from '../../activities/exchanges/streams.ts'
import { EXCHANGES } from '../../db/values/exchanges.ts'

// Checks the declarations of the exchanges against CCXT.

const DAY_MS = 86_400_000

test('the API accepts exactly the exchanges with an adapter', () => {
  const names = (list: readonly string[]) => [...list].sort((a, b) => (a < b ? -1 : 1))
  expect(names(EXCHANGES.map(({ id }) => id))).toEqual(names(EXCHANGE_SPECS.map(({ source }) => source.name)))
})

describe.each(EXCHANGE_SPECS.map((spec) => [spec.source.name, spec] as const))(
  'adapter of %s',
  (name, spec) => {
    const client: Exchange = new ccxt[name as 'binance']({ options: spec.options })

    test('reads the clock if times are signed, and checks the rights of every key', () => {
      expect(client.has['fetchTime']).toBe(true)
      expect(spec.rights).not.toBeNull()
      if (!spec.signsTime) return
      client.options['timeDifference'] = 60_000
      expect(Math.abs(client.nonce() - (Date.now() - 60_000))).toBeLessThan(5_000)
    })

    test('the base URL is the origin of all requests', () => {
      const api = JSON.stringify(client.urls['api']).replaceAll('{hostname}', client.hostname ?? '')
      expect(api).toContain(spec.source.defaultUrl)
    })

    test('the fields required from clients are those that CCXT requires', () => {
      const listed = EXCHANGES.find(({ id }) => id === name)!.fields.map(({ key }) => key)
      const needed = client.requiredCredentials as unknown as Record<string, boolean>
      expect(listed.some((key) => key === 'passphrase')).toBe(needed['password'] === true)
      expect([needed['apiKey'], needed['secret']]).toEqual([true, true])
    })

    test('no page is larger and no window wider than the exchange allows', () => {
      const features = (client.features as any)?.spot?.fetchMyTrades
      const fills = streamsOf(spec, client).find((stream) => stream.name === 'fills')!
      const { paging } = fills
      if (features?.limit !== undefined) expect(paging.page).toBeLessThanOrEqual(features.limit)
      if (features?.symbolRequired === true && name !== 'kucoin') expect(fills.lists).toBe('symbols')
      if (features?.symbolRequired === false) expect(fills.lists).toBe('one')
      if (paging.kind !== 'window') return
      const widest = features?.untilDays ?? Infinity
      if (widest < 1_000) expect(paging.windowMs).toBeLessThanOrEqual(widest * DAY_MS)
      if (features?.daysBack !== undefined)
        expect(paging.historyMs).toBeLessThanOrEqual(features.daysBack * DAY_MS)
    })
  },
)
