import ccxt, { type Exchange } from 'ccxt'
import { describe, expect, test } from 'vitest'
import { EXCHANGE_SPECS } from '../../activities/exchanges/exchanges.ts'
import { LEFT_OUT, missingOf, reasonOf } from '../../activities/exchanges/requirements.ts'
import { streamsOf } from '../../activities/exchanges/streams.ts'
import { exchangeOf, EXCHANGES } from '../../db/values/exchanges.ts'

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

    test('its class declares what an account needs', () => {
      expect(missingOf(client)).toEqual([])
    })

    test('reads the clock if times are signed', () => {
      if (!spec.signsTime) return
      expect(client.has['fetchTime']).toBe(true)
      client.options['timeDifference'] = 60_000
      expect(Math.abs(client.nonce() - (Date.now() - 60_000))).toBeLessThan(5_000)
    })

    test('the screen says whether the rights of the key are checked', () => {
      expect(exchangeOf(name)!.hidesRights === true).toBe(spec.rights === null)
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
      if (features?.daysBack !== undefined && features.daysBack < 1_000)
        expect(paging.historyMs).toBeLessThanOrEqual(features.daysBack * DAY_MS)
    })
  },
)

describe('an exchange that cannot be connected', () => {
  const classes = ccxt as unknown as Record<string, (new () => Exchange) | undefined>

  test.each(LEFT_OUT)('$name: the reason is true of its class', (one) => {
    const Class = classes[one.id]
    const declared = Class && new Class()
    // A stated reason is needed if, and only if, the class declares everything.
    expect(one.why !== undefined).toBe(declared !== undefined && missingOf(declared).length === 0)
    expect(exchangeOf(one.id)).toBeUndefined()
    expect(reasonOf(one, declared)).not.toBe('')
  })

  test('is refused with what is missing', () => {
    const declared = { has: { fetchBalance: true }, requiredCredentials: { apiKey: true, privateKey: true } }
    expect(missingOf(declared as never)).toEqual([
      'fills by account',
      'deposits and withdrawals',
      'a key without privateKey',
    ])
  })
})
