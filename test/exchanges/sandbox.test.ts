import ccxt, { type Exchange } from 'ccxt'
import { describe, expect, test } from 'vitest'
import { createAccount, unitText } from '../../sandbox/exchanges/account.ts'
import { binanceKeys, krakenKeys } from '../../sandbox/exchanges/keys.ts'
import { binanceRules, krakenRules } from '../../sandbox/exchanges/rules.ts'
import { SEED, startExchanges } from './exchange-world.ts'

// CCXT's own classes with only the URLs changed.

const exchanges = await startExchanges()
const [reader, trader] = binanceKeys
const binance = (key = reader!, options: object = {}) => {
  const client = new ccxt.binance({ apiKey: key.apiKey, secret: key.apiSecret, options })
  for (const [name, url] of Object.entries(client.urls['api'] as Record<string, string>))
    (client.urls['api'] as Record<string, string>)[name] = `${exchanges.url}/binance${new URL(url).pathname}`
  return client
}
const kraken = (key = krakenKeys[0]!) => {
  const client = new ccxt.kraken({ apiKey: key.apiKey, secret: key.apiSecret, enableRateLimit: false })
  client.urls['api'] = { public: `${exchanges.url}/kraken`, private: `${exchanges.url}/kraken`, zendesk: '' }
  return client
}
const totals = async (client: Exchange) => {
  const { total } = await client.fetchBalance()
  return Object.entries(total as unknown as Record<string, number>).filter(([, amount]) => amount > 0)
}
const accountOf = (exchange: 'binance' | 'kraken') =>
  createAccount({
    seed: SEED,
    name: 'first',
    anchor: exchanges.anchor,
    priceUsd: exchanges.market.priceUsd,
    rules: exchange === 'binance' ? binanceRules : krakenRules(SEED),
  })

describe('history of an account', () => {
  test.each(['binance', 'kraken'] as const)(
    '%s: has many events of each kind and is never overdrawn',
    (exchange) => {
      const account = accountOf(exchange)
      const events = account.eventsUntil(exchanges.clock.nowMs())
      const count = (kind: string) => events.filter((event) => event.kind === kind).length
      expect(count('fill')).toBeGreaterThan(150)
      expect(count('deposit')).toBeGreaterThan(5)
      expect(count('withdrawal')).toBeGreaterThan(4)
      expect(count('dust') > 0).toBe(exchange === 'binance')
      const feeAssets = new Set(events.flatMap((event) => (event.kind === 'fill' ? [event.fee.asset] : [])))
      if (exchange === 'binance')
        expect([...feeAssets]).toEqual(expect.arrayContaining(['BNB', 'USDT', 'BTC']))
      else expect([...feeAssets].sort()).toEqual(['EUR', 'USD'])
      const balances = new Map<string, bigint>()
      const change = (asset: string, by: bigint) => balances.set(asset, (balances.get(asset) ?? 0n) + by)
      for (const event of events) {
        if (event.kind === 'fill') {
          const sign = event.side === 'buy' ? 1n : -1n
          change(event.base, sign * event.amount)
          change(event.quote, -sign * event.cost)
          change(event.fee.asset, -event.fee.amount)
          expect(event.amount * event.price).toBe(event.cost * 100_000_000n)
        }
        if (event.kind === 'deposit') change(event.asset, event.amount)
        if (event.kind === 'withdrawal' && !event.failed) change(event.asset, -event.amount - event.fee)
        if (event.kind === 'dust') {
          change(event.asset, -event.amount)
          change('BNB', event.received - event.charge)
        }
        for (const [asset, amount] of balances)
          expect(amount, `${asset} at ${event.at}`).toBeGreaterThanOrEqual(0n)
      }
      const left = [...balances].filter(([, amount]) => amount > 0n).sort(([a], [b]) => (a < b ? -1 : 1))
      expect(account.balancesAt(exchanges.clock.nowMs())).toEqual(left)
    },
  )

  test('the same seed gives the same history, however it is read', () => {
    const step = accountOf('binance')
    for (let back = 700; back >= 0; back -= 100) step.eventsUntil(exchanges.clock.nowMs() - back * 86_400_000)
    expect(step.eventsUntil(exchanges.clock.nowMs())).toEqual(
      accountOf('binance').eventsUntil(exchanges.clock.nowMs()),
    )
  })
})

describe('binance', () => {
  test("CCXT's class with its defaults loads markets, balances, fills, transfers and dust", async () => {
    const client = binance()
    await client.loadMarkets()
    expect(client.symbols).toHaveLength(6)
    expect((await totals(client)).length).toBeGreaterThan(3)
    const fills = await client.fetchMyTrades('BTC/USDT', undefined, 1_000, { fromId: 0 })
    expect(fills.length).toBeGreaterThan(10)
    expect(fills[0]).toMatchObject({ symbol: 'BTC/USDT', id: '1000' })
    const start = exchanges.clock.nowMs() - 89 * 86_400_000
    expect(await client.fetchDeposits(undefined, start)).not.toHaveLength(0)
    await client.fetchWithdrawals(undefined, start)
    const dust = (await client['fetchMyDustTrades']()) as unknown[]
    expect(dust.length).toBeGreaterThan(0)
  })

  test('fromId pages by id and excludes times; a window is at most 24 hours; neither returns the newest fills', async () => {
    const client = binance()
    await client.loadMarkets()
    const all = await client.fetchMyTrades('BTC/USDT', undefined, 1_000, { fromId: 0 })
    const next = await client.fetchMyTrades('BTC/USDT', undefined, 5, { fromId: Number(all[3]!.id) })
    expect(next.map(({ id }) => id)).toEqual(all.slice(3, 8).map(({ id }) => id))
    const newest = await client.fetchMyTrades('BTC/USDT', undefined, 5)
    expect(newest.map(({ id }) => id)).toEqual(all.slice(-5).map(({ id }) => id))
    const since = all[0]!.timestamp!
    await expect(client.fetchMyTrades('BTC/USDT', since, 5, { fromId: 0 })).rejects.toBeInstanceOf(
      ccxt.BadRequest,
    )
    await expect(
      client.fetchMyTrades('BTC/USDT', since, 5, { until: since + 2 * 86_400_000 }),
    ).rejects.toBeInstanceOf(ccxt.BadRequest)
  })

  test('refuses a wrong secret, an unknown key and a wrong clock', async () => {
    await expect(totals(binance({ ...reader!, apiSecret: 'wrong' }))).rejects.toBeInstanceOf(
      ccxt.AuthenticationError,
    )
    await expect(totals(binance({ ...reader!, apiKey: 'nobody' }))).rejects.toBeInstanceOf(
      ccxt.AuthenticationError,
    )
    await expect(totals(binance(reader, { timeDifference: -5_000 }))).rejects.toBeInstanceOf(
      ccxt.InvalidNonce,
    )
    await expect(totals(binance(reader, { timeDifference: 60_000 }))).rejects.toBeInstanceOf(
      ccxt.InvalidNonce,
    )
  })

  test('returns the restrictions of a key', async () => {
    const call = (client: Exchange) => (client as any).sapiGetAccountApiRestrictions()
    expect(await call(binance())).toMatchObject({
      enableSpotAndMarginTrading: false,
      enableWithdrawals: false,
    })
    expect(await call(binance(trader))).toMatchObject({ enableSpotAndMarginTrading: true })
  })
})

describe('kraken', () => {
  test("CCXT's class loads markets, balances, and pages of fills and of the ledger", async () => {
    const client = kraken()
    await client.loadMarkets()
    expect(client.symbols.sort()).toEqual(['BTC/EUR', 'BTC/USD', 'ETH/EUR', 'ETH/USD', 'LINK/USD', 'UNI/USD'])
    expect((await totals(client)).map(([asset]) => asset)).toEqual(expect.arrayContaining(['BTC', 'USD']))
    const first = await client.fetchMyTrades()
    const second = await client.fetchMyTrades(undefined, undefined, undefined, { ofs: 50 })
    expect([first.length, second.length]).toEqual([50, 50])
    expect(second.at(-1)!.timestamp).toBeLessThan(first[0]!.timestamp!)
    const ledger = await client.fetchLedger()
    expect(ledger).toHaveLength(50)
    const fills = accountOf('kraken')
      .eventsUntil(exchanges.clock.nowMs())
      .filter((event) => event.kind === 'fill')
    const newest = fills.at(-1)!
    expect(first.at(-1)).toMatchObject({
      symbol: `${newest.base}/${newest.quote}`,
      amount: Number(unitText(newest.amount)),
    })
  })

  test('refuses a wrong secret and a nonce that does not rise', async () => {
    await expect(
      totals(kraken({ ...krakenKeys[0]!, apiSecret: Buffer.from('wrong').toString('base64') })),
    ).rejects.toThrow('EAPI:Invalid signature')
    const client = kraken(krakenKeys[2])
    await client.loadMarkets()
    await totals(client)
    client.nonce = () => 1
    await expect(totals(client)).rejects.toBeInstanceOf(ccxt.InvalidNonce)
  })
})
