import { beforeAll, describe, expect, test } from 'vitest'
import { recomputeBook } from '../../activities/pnl/recompute-books.ts'
import { routes } from '../../api/routes.ts'
import { getWalletChart } from '../../api/chain/get-chart.ts'
import { getBalanceMany } from '../../api/chain/get-balances.ts'
import { getWalletCharts } from '../../api/chain/get-charts.ts'
import { getPlHistory } from '../../api/chain/get-pl-history.ts'
import { openDb } from '../../db/connect.ts'
import { foldBook } from '../pnl/law-three.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint, refusal } from '../setup/endpoint.ts'
import { insertCoin, insertPrices, insertRates } from '../setup/factories.ts'
import { query } from '../setup/query.ts'
import { activateNetworks, address, hash, insertMovement, insertWallet } from '../setup/wallet-factories.ts'

const NOW = new Date('2026-03-10T12:30:00Z')
const HOUR_MS = 3_600_000
const at = (text: string) => new Date(text)
const ms = (text: string) => at(text).getTime()

const database = await testDatabase()
const api = await startApi({ database, routes, overrides: { now: () => NOW } })
const { key } = await api.newAccount()
const chart = endpoint(api, { route: getWalletChart, key })
const charts = endpoint(api, { route: getWalletCharts, key })
const history = endpoint(api, { route: getPlHistory, key })
const [first, second, unknown] = [address(1), address(2), address(3)]

/** ETH costs 2000 USD on 1 March and gains 10 every hour; BTC stays at 40,000. */
const ethAt = (instantMs: number) => 2_000 + (10 * (instantMs - ms('2026-03-01T00:00:00Z'))) / HOUR_MS
const BTC = 40_000

beforeAll(async () => {
  const db = api.owner
  await activateNetworks(db, ['ethereum', 'base-wallet'])
  const hours = Array.from({ length: 24 * 10 }, (_, n) => new Date(ms('2026-03-01T00:00:00Z') + n * HOUR_MS))
  const days = hours.filter((hour) => hour.getUTCHours() === 0)
  for (const [coinId, price] of [
    ['ethereum', ethAt],
    ['bitcoin', () => BTC],
  ] as const) {
    await insertCoin(db, { id: coinId, priceUsd: String(price(NOW.getTime())), at: NOW })
    const points = (instants: Date[]) =>
      instants.map((instant) => [instant, String(price(instant.getTime()))] as const)
    await insertPrices(db, { coinId, resolution: 'hour', points: points(hours) })
    await insertPrices(db, { coinId, resolution: 'day', points: points(days) })
  }
  await insertRates(db, {
    currency: 'EUR',
    rates: [
      [at('2026-02-27T00:00:00Z'), '0.5'],
      [at('2026-03-06T00:00:00Z'), '0.8'],
    ],
  })
  const one = await insertWallet(db, {
    address: first,
    syncs: {
      ethereum: at('2026-03-10T12:00:00Z'),
      'base-wallet': at('2026-03-10T11:00:00Z'),
      'polygon-wallet': null,
    },
  })
  const two = await insertWallet(db, { address: second, syncs: { ethereum: at('2026-03-10T10:00:00Z') } })
  const ETH = '1000000000000000000'
  const received = async (walletId: string, networkId: string, time: string, n: number, raw = ETH) => {
    const priceUsd = String(ethAt(ms(time)))
    await insertMovement(db, {
      walletId,
      networkId,
      at: at(time),
      hash: hash(n),
      coinId: 'ethereum',
      raw,
      priceUsd,
    })
  }
  await received(one, 'ethereum', '2026-03-03T06:00:00Z', 1)
  await received(one, 'base-wallet', '2026-03-05T12:00:00Z', 2, `2${ETH.slice(1)}`)
  await received(one, 'ethereum', '2026-03-10T11:00:00Z', 3, `-${ETH}`)
  await received(two, 'ethereum', '2026-03-04T00:00:00Z', 4)
  const ingest = openDb({ url: database.ingestUrl, maxConnections: 2, applicationName: 'test' })
  for (const [walletId, networkId] of [
    [one, 'ethereum'],
    [one, 'base-wallet'],
    [two, 'ethereum'],
  ] as const) {
    const book = { walletId, networkId }
    await recomputeBook({ pool: ingest.pool, book, nowMs: NOW.getTime() })
    await foldBook({ connection: ingest, book, nowMs: NOW.getTime() })
  }
  await ingest.close()
})

describe('GET /wallet/chart', () => {
  test('returns daily values from the first transaction to now, in milliseconds, for 40 credits', async () => {
    const { body, headers, credits } = await chart(
      `/wallet/chart?address=${first}&connectionId=ethereum&type=all`,
    )
    expect(credits).toBe(40)
    expect(headers.get('x-data-as-of')).toBe('2026-03-10T12:00:00.000Z')
    expect(body.result[0]).toEqual([ms('2026-03-03T06:00:00Z'), 0, 0, 0])
    const eth = ethAt(ms('2026-03-04T00:00:00Z'))
    expect(body.result[1]).toEqual([ms('2026-03-04T00:00:00Z'), eth, eth / BTC, 1])
    expect(body.result.at(-1)).toEqual([NOW.getTime(), 0, 0, 0])
    expect(body.result).toHaveLength(9)
  })

  test('24h has hourly points, longer ranges daily ones; a range longer than the history starts with the history', async () => {
    const pointsOf = async (type: string) =>
      (await chart(`/wallet/chart?address=${first}&connectionId=all&type=${type}`)).body.result
    const hourly = await pointsOf('24h')
    expect(hourly).toHaveLength(26)
    expect(hourly[0][0]).toBe(NOW.getTime() - 24 * HOUR_MS)
    expect(hourly[1][0]).toBe(ms('2026-03-09T13:00:00Z'))
    expect((await pointsOf('1w'))[0][0]).toBe(NOW.getTime() - 7 * 24 * HOUR_MS)
    for (const type of ['1m', '3m', '6m', '1y'])
      expect((await pointsOf(type))[0]).toEqual([ms('2026-03-03T00:00:00Z'), 0, 0, 0])
  })

  test('returns 503 for a wallet whose balances are not stored yet and 400 without a type', async () => {
    expect((await api.get(`/wallet/chart?address=${unknown}&connectionId=all&type=all`, key)).status).toBe(
      503,
    )
    expect(await refusal(await api.get(`/wallet/chart?address=${first}&connectionId=all`, key))).toEqual([
      400,
      'Invalid parameter: type',
    ])
  })
})

describe('GET /wallet/charts', () => {
  test('the aggregated chart is the sum of the single charts at the same instants', async () => {
    const { body, credits } = await charts(`/wallet/charts?type=1w&wallets=all:${first},ethereum:${second}`)
    expect(credits).toBe(440)
    const one = await chart(`/wallet/chart?address=${first}&connectionId=all&type=1w`)
    const two = await chart(`/wallet/chart?address=${second}&connectionId=ethereum&type=1w`)
    expect(body).toHaveLength(1)
    expect(body[0].message).toBe('')
    const later = (points: number[][]) => new Map(points.map(([time, ...values]) => [time, values]))
    const [mine, others] = [later(one.body.result), later(two.body.result)]
    for (const [time, usd] of body[0].data)
      expect(usd).toBeCloseTo((mine.get(time)?.[0] ?? 0) + (others.get(time)?.[0] ?? 0), 6)
  })

  test('a wallet and network listed twice counts once', async () => {
    const twice = await charts(`/wallet/charts?type=1w&wallets=all:${first},ethereum:${first}`)
    const once = await charts(`/wallet/charts?type=1w&wallets=all:${first}`)
    expect(twice.body).toEqual(once.body)
    expect(twice.credits).toBe(440)
  })

  test('without aggregation it returns one entry per item, with a message if it was never synced', async () => {
    const { body, credits, headers } = await charts(
      `/wallet/charts?type=1w&aggregated=false&wallets=base:${first},all:${second},ethereum:${unknown}`,
    )
    expect(credits).toBe(40 + 400 + 40)
    expect(headers.get('x-data-as-of')).toBe('2026-03-10T10:00:00.000Z')
    expect(body).toMatchObject([
      { walletAddress: first, connectionId: 'base-wallet', blockchain: 'base', message: '' },
      { walletAddress: second, connectionId: 'all', blockchain: 'all', message: '' },
      { walletAddress: unknown, connectionId: 'ethereum', message: 'Transactions not synced', data: [] },
    ])
    expect(body[0].data.length).toBeGreaterThan(3)
    const [aggregated] = (await charts(`/wallet/charts?type=1w&wallets=base:${first},ethereum:${unknown}`))
      .body
    expect(aggregated).toEqual({ data: body[0].data, message: 'Transactions not synced' })
  })

  test('a wallet whose sync fails on our side has a message and is refunded; one never synced is not refunded', async () => {
    const failing = address(4)
    await insertWallet(api.owner, { address: failing, syncs: { ethereum: null } })
    await query(
      database.ownerUrl,
      `update wallet_syncs set failed_at = now(), failure = 'node down' where wallet_id =
       (select id from wallets where address = $1)`,
      [failing],
    )
    const wallets = `base:${first},ethereum:${failing},all:${failing},ethereum:${unknown}`
    const { body, credits, headers } = await charts(
      `/wallet/charts?type=1w&aggregated=false&wallets=${wallets}`,
    )
    expect(body.map(({ message }: { message: string }) => message)).toEqual([
      '',
      'Synchronization failed',
      'Synchronization failed',
      'Transactions not synced',
    ])
    expect(credits).toBe(40 + 40)
    const entries = await query(
      database.ownerUrl,
      'select kind, credits, price_input from ledger_entries where request_id = $1 order by kind',
      [headers.get('x-request-id')],
    )
    expect(entries).toEqual([
      { kind: 'charge', credits: '520', price_input: '3 one, 1 all' },
      { kind: 'refund', credits: '440', price_input: '3 one, 1 all' },
    ])
    const { credits: many } = await endpoint(api, { route: getBalanceMany, key })(
      `/wallet/balance/many?wallets=base:${first},ethereum:${failing}`,
    )
    expect(many).toBe(40)
  })

  test.each([
    ['type=1w', 'wallets'],
    [`wallets=all:${first}`, 'type'],
    [`type=1w&wallets=all:${first}&aggregated=1`, 'aggregated'],
    [`type=1w&wallets=${first}`, 'wallets'],
  ])('charts with %s return 400', async (query, name) =>
    expect(await refusal(await api.get(`/wallet/charts?${query}`, key))).toEqual([
      400,
      `Invalid parameter: ${name}`,
    ]),
  )
})

describe('GET /wallet/pl/history', () => {
  const of = (query: string) => history(`/wallet/pl/history?address=${first}&${query}`)

  test('daily profit of all networks is the change in value less flows, for 250 credits', async () => {
    const { body, credits, headers } = await of('connectionId=all&interval=daily&range=all')
    expect(credits).toBe(250)
    expect(headers.get('x-data-as-of')).toBe('2026-03-10T11:00:00.000Z')
    expect(body.meta).toEqual({
      currency: 'USD',
      range: 'all',
      interval: 'daily',
      from: '2026-03-04T00:00:00.000Z',
      to: '2026-03-10T12:30:00.000Z',
      lastSyncedAt: '2026-03-10T11:00:00.000Z',
    })
    expect(body.result.map(({ profitLoss }: { profitLoss: number }) => profitLoss)).toEqual([
      180,
      240,
      240 + 2 * 120,
      720,
      720,
      720,
      720,
      // 3 ETH until 11:00, then 2 ETH up to the quote of 12:30.
      3 * 110 + 2 * 15,
    ])
    expect(body.result[0]).toEqual({
      date: '2026-03-04T00:00:00.000Z',
      profitLoss: 180,
      profitLossPercent: 0,
    })
    expect(body.result[1].profitLossPercent).toBeCloseTo((240 / ethAt(ms('2026-03-04T00:00:00Z'))) * 100, 9)
  })

  test('the profit is the difference of adjacent chart points less the flows', async () => {
    const { body } = await of('connectionId=ethereum&interval=daily&range=1w')
    const values = (await chart(`/wallet/chart?address=${first}&connectionId=ethereum&type=1w`)).body.result
    expect(values.map(([time]: [number]) => time).slice(1)).toEqual(
      body.result.map(({ date }: { date: string }) => ms(date)),
    )
    const flowOut = ethAt(ms('2026-03-10T11:00:00Z'))
    body.result.forEach(({ profitLoss }: { profitLoss: number }, index: number) => {
      const last = index === body.result.length - 1
      const difference = values[index + 1][1] - values[index][1]
      if (index > 0) expect(difference + (last ? flowOut : 0)).toBeCloseTo(profitLoss, 6)
    })
  })

  test('periods of a longer interval add up the shorter ones', async () => {
    const sum = async (interval: string) =>
      (await of(`connectionId=all&interval=${interval}&range=all`)).body.result.reduce(
        (total: number, { profitLoss }: { profitLoss: number }) => total + profitLoss,
        0,
      )
    const daily = await sum('daily')
    for (const interval of ['weekly', 'monthly', 'yearly']) expect(await sum(interval)).toBeCloseTo(daily, 6)
  })

  test('converts each amount at the rate of its own instant', async () => {
    const { body } = await of(
      'connectionId=base-wallet&interval=daily&from=2026-03-05&to=2026-03-07&currency=EUR',
    )
    const [fifth, sixth] = body.result
    const flow = 2 * ethAt(ms('2026-03-05T12:00:00Z')) * 0.5
    const endOfFifth = 2 * ethAt(ms('2026-03-06T00:00:00Z')) * 0.8
    expect(fifth.profitLoss).toBeCloseTo(endOfFifth - flow, 6)
    expect(sixth.profitLoss).toBeCloseTo(2 * ethAt(ms('2026-03-07T00:00:00Z')) * 0.8 - endOfFifth, 6)
    expect(body.meta).toMatchObject({
      currency: 'EUR',
      range: null,
      from: '2026-03-05T00:00:00.000Z',
      to: '2026-03-07T00:00:00.000Z',
    })
    const inEth = await of(
      'connectionId=base-wallet&interval=daily&from=2026-03-06&to=2026-03-08&currency=ETH',
    )
    expect(inEth.body.result.map(({ profitLoss }: { profitLoss: number }) => profitLoss)).toEqual([0, 0])
  })

  test('returns hourly points for the latest 24 hours', async () => {
    expect((await of('connectionId=all&interval=hourly&range=24h')).body.result).toHaveLength(25)
    const window = 'from=2026-03-10T10:30:00Z&to=2026-03-10T12:30:00Z'
    const { body } = await of(`connectionId=all&interval=hourly&${window}`)
    expect(body.result.map(({ date }: { date: string }) => date)).toEqual([
      '2026-03-10T11:00:00.000Z',
      '2026-03-10T12:00:00.000Z',
      '2026-03-10T12:30:00.000Z',
    ])
  })

  test('an end in the future is cut at now; time zone offsets do not move the UTC boundaries', async () => {
    const { body } = await of(
      'connectionId=all&interval=daily&from=2026-03-09T02:00:00%2B02:00&to=2027-01-01',
    )
    expect(body.meta).toMatchObject({ from: '2026-03-09T00:00:00.000Z', to: '2026-03-10T12:30:00.000Z' })
    expect(body.result.map(({ date }: { date: string }) => date)).toEqual([
      '2026-03-10T00:00:00.000Z',
      '2026-03-10T12:30:00.000Z',
    ])
  })

  test('returns an empty result, not an error, without synced history', async () => {
    const empty = { result: [], meta: { from: null, lastSyncedAt: null, range: 'all', currency: 'USD' } }
    const never = `/wallet/pl/history?address=${unknown}&connectionId=all&interval=daily&range=all`
    expect((await history(never)).body).toMatchObject(empty)
    const { body, credits } = await of('connectionId=polygon-wallet&interval=daily&range=all')
    expect(body).toMatchObject(empty)
    expect(credits).toBe(25)
    const before = await of('connectionId=all&interval=yearly&from=0001-01-01&to=2020-01-01')
    expect(before.body).toMatchObject({ result: [], meta: { from: '0001-01-01T00:00:00.000Z' } })
    expect(before.body.meta.lastSyncedAt).toBe('2026-03-10T11:00:00.000Z')
  })

  test('networks that were never synced add no data but are charged', async () => {
    const { body, credits } = await of('blockchain=ethereum,polygon-pos&interval=daily&range=1w')
    expect(body.meta.lastSyncedAt).toBe('2026-03-10T12:00:00.000Z')
    expect(credits).toBe(50)
  })

  test.each([
    ['interval=daily', 'range'],
    ['range=1w', 'interval'],
    ['interval=daily&from=2026-03-01', 'to'],
    ['interval=daily&to=2026-03-01', 'from'],
    ['interval=daily&range=1w&from=2026-03-01&to=2026-03-02', 'range'],
    ['interval=daily&range=1w&to=2026-03-02', 'range'],
    ['interval=daily&from=2026-03-02&to=2026-03-02', 'to'],
    ['interval=daily&from=2026-03-03&to=2026-03-02', 'to'],
    ['interval=daily&from=2026-03-10T12:30:00Z&to=2026-03-11', 'from'],
    ['interval=daily&from=2026-02-30&to=2026-03-02', 'from'],
    ['interval=daily&from=2026-03-01T00:00:00&to=2026-03-02', 'from'],
    ['interval=hourly&range=1w', 'interval'],
    ['interval=hourly&from=2026-03-09T12:29:59Z&to=2026-03-10T12:00:00Z', 'interval'],
    ['interval=hourly&from=2026-03-09T12:30:00Z&to=2026-03-10T12:30:00.001Z', 'interval'],
    ['interval=hourly&from=2026-03-01&to=2026-03-01T12:00:00Z', 'interval'],
    ['interval=Daily&range=1w', 'interval'],
    ['interval=daily&range=2w', 'range'],
    ['interval=daily&range=1w&currency=XXX', 'currency'],
  ])('history with %s returns 400', async (query, name) =>
    expect(
      await refusal(await api.get(`/wallet/pl/history?address=${first}&connectionId=all&${query}`, key)),
    ).toEqual([400, `Invalid parameter: ${name}`]),
  )
})
