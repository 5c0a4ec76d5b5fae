import { beforeAll, describe, expect, test } from 'vitest'
import { getPortfolioCoins } from '../../api/portfolios/get-coins.ts'
import { getPortfolioExplain } from '../../api/portfolios/get-explain.ts'
import { routes } from '../../api/routes.ts'
import { getWalletExplain } from '../../api/chain/get-explain.ts'
import { getWalletPl } from '../../api/chain/get-pl.ts'
import { openDb } from '../../db/connect.ts'
import { markAccountDirty } from '../../db/pnl/books.ts'
import { refreshAccount } from '../pnl/law-three.ts'
import { CONNECTION, NETWORKS, NOW, storeWorkedExample, WALLET } from '../pnl/worked-example-tables.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint, refusal } from '../setup/endpoint.ts'
import { insertRates } from '../setup/factories.ts'
import { query } from '../setup/query.ts'
import { address } from '../setup/wallet-factories.ts'
import { expectCoin, expectEntries } from './explain-coin-sums.ts'
import { expectPoint } from './explain-sums.ts'
import { share } from './share-probe.ts'

// The worked example as portfolios of an account; the expected explanations are computed by hand.

const database = await testDatabase()
const api = await startApi({ database, routes, overrides: { now: () => NOW } })
const ingest = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const mine = await api.newAccount({ plan: 'pro' })
const theirs = await api.newAccount()
const wallet = endpoint(api, { route: getWalletExplain, key: mine.key })
const portfolio = endpoint(api, { route: getPortfolioExplain, key: mine.key })
const coins = endpoint(api, { route: getPortfolioCoins, key: mine.key })
const walletCoins = endpoint(api, { route: getWalletPl, key: mine.key })
const ids = { ethereum: CONNECTION.replace(/1$/, '2'), base: CONNECTION.replace(/1$/, '3') }
const DAILY = 'interval=daily&range=all'
const ask = async (date: string, more = '') =>
  (await portfolio(`/portfolio/explain?${DAILY}&date=${date}${more}`)).body

beforeAll(async () => {
  const { accountId } = mine
  await storeWorkedExample({ database, owner: api.owner, ingest, accountId })
  const rows = [
    [CONNECTION, 'exchange', null, null],
    [ids.ethereum, 'wallet', WALLET, NETWORKS['W:ethereum']],
    [ids.base, 'wallet', WALLET, NETWORKS['W:base']],
  ]
  for (const row of rows)
    await query(
      database.ownerUrl,
      'insert into portfolios (id, account_id, kind, address, network_id) values ($1, $5, $2, $3, $4)',
      [...row, accountId],
    )
  await markAccountDirty(ingest.db, accountId)
  await refreshAccount({ connection: ingest, accountId, nowMs: NOW.getTime() })
  await insertRates(api.owner, { currency: 'EUR', rates: [[new Date('2024-01-01'), '0.9']] })
  return () => ingest.close()
})

describe('a point of the history', () => {
  test.each(['EUR', 'BTC', 'ETH'])(
    'in %s shows each flow at the rate of its own instant',
    async (currency) => {
      let flows = 0
      for (const date of ['2024-01-02', '2024-01-04', '2024-01-07', '2024-01-09']) {
        const body = await ask(date, `&currency=${currency}`)
        expectPoint(body, { date: body.figure.date, ...body.figure.shown })
        flows += body.flows.count
      }
      expect(flows).toBeGreaterThan(2)
    },
  )

  test('counts a bridge under way at the end of the day as held, not as a flow', async () => {
    const body = await ask('2024-01-06')
    expectPoint(body, {
      date: '2024-01-06T00:00:00.000Z',
      profitLoss: 78.73,
      profitLossPercent: expect.anything(),
    } as never)
    expect(body.figure).toMatchObject({ from: '2024-01-05T00:00:00.000Z', profitLoss: '78.73' })
    expect([body.start.value, body.end.value, body.flows.value]).toEqual(['11003.55', '11082.28', '0'])
    expect(body.end.inFlight).toEqual({
      count: 1,
      items: [
        {
          from: ids.ethereum,
          to: ids.base,
          leftAt: '2024-01-05T23:30:00.000Z',
          arrivesAt: '2024-01-06T00:10:00.000Z',
          coinId: 'ethereum',
          count: '0.199',
          price: { usd: '2260', at: '2024-01-06T00:00:00.000Z', source: 'test' },
          value: '449.74',
          valueUsd: '449.74',
        },
      ],
    })
    expect(body.start.inFlight.count).toBe(0)
    expect(body.flows).toMatchObject({ count: 0, items: [], months: [] })
  })

  test('lists a receipt as a flow on the day on which the bridge arrives', async () => {
    const body = await ask('2024-01-07')
    expect([body.start.value, body.end.value, body.flows.value]).toEqual(['11082.28', '12462.18', '1225'])
    expect(body.start.inFlight.items).toMatchObject([{ value: '449.74' }])
    expect(body.flows.items).toEqual([
      {
        at: '2024-01-06T10:00:00.000Z',
        ledger: ids.base,
        transaction: 'T9',
        reason: 'transfer',
        value: '1225',
        valueUsd: '1225',
        rate: null,
        terms: [
          {
            coinId: 'ethereum',
            count: '0.5',
            valueUsd: '1225',
            kind: 'transfer',
            price: { usd: '2450', at: '2024-01-06T10:00:00.000Z', source: 'test' },
          },
        ],
      },
    ])
    expect(body.flows.months).toEqual([{ month: '2024-01', value: '1225' }])
    const eth = body.end.positions.items.filter((one: any) => one.coinId === 'ethereum')
    expect(eth.map(({ ledger, count }: any) => [ledger, count])).toEqual(
      [
        [ids.base, '0.699'],
        [ids.ethereum, '0.789'],
        [CONNECTION, '0.49'],
      ].toSorted((a, b) => Number(b[1]) - Number(a[1])),
    )
  })

  test('counts the same bridge as a flow for one network of the wallet', async () => {
    const path = `/wallet/explain?address=${WALLET}&connectionId=base-wallet&${DAILY}&date=2024-01-07`
    const { body, credits } = await wallet(path)
    expect(credits).toBe(25)
    expect(body.flows.items.map(({ ledger, value }: any) => [ledger, value])).toEqual([
      ['base-wallet', '450.138'],
      ['base-wallet', '1225'],
    ])
    const all = await wallet(path.replace('base-wallet', 'all'))
    expect(all.credits).toBe(250)
    expect(all.body.flows.items.map(({ value }: any) => value)).toEqual(['1225'])
  })

  test('shows the rate for EUR, and the price of BTC by which amounts are divided', async () => {
    const euro = await ask('2024-01-07', '&currency=EUR')
    const rate = { unitUsd: null, perUsd: '0.9', at: '2024-01-01T00:00:00.000Z', source: 'test' }
    expect(euro.flows.items[0]).toMatchObject({ value: '1102.5', valueUsd: '1225', rate })
    expect(euro.end).toMatchObject({ value: '11215.962', rate })
    const btc = await ask('2024-01-07', '&currency=BTC')
    expect(btc.end.rate).toEqual({
      unitUsd: '42500',
      perUsd: null,
      at: '2024-01-07T00:00:00.000Z',
      source: 'test',
    })
  })

  test('lists the flows of a long period in pages and by month', async () => {
    const year = '/portfolio/explain?interval=yearly&from=2023-01-01&to=2024-01-10&date=2024-01-10'
    const { body } = await portfolio(year)
    expect(body.flows).toMatchObject({ value: '10637', count: 3 })
    const whole = '/portfolio/explain?interval=monthly&range=all&date=2024-01-10'
    const pages = [1, 2].map(async (page) => (await portfolio(`${whole}&limit=2&page=${page}`)).body.flows)
    const [first, second] = await Promise.all(pages)
    expect(
      [first, second].map(({ count, items }) => [count, items.map((one: any) => one.transaction)]),
    ).toEqual([
      [3, [expect.stringContaining('T1'), 'T9']],
      [3, [expect.stringContaining('T11')]],
    ])
    expect((await portfolio(`${whole}&month=2024-01`)).body.flows.count).toBe(3)
  })
})

describe('a coin row', () => {
  const ETH = '/portfolio/explain?coinId=ethereum&month=2024-01&limit=100'
  const entryOf = (body: any, transaction: string, reason: string) =>
    body.entries.items.find((one: any) => one.transaction === transaction && one.reason === reason)
  const places = (text: string) => Number(text).toFixed(6)
  let usedSeveral = 0
  const byMethod = async (method: string) => {
    await query(database.ownerUrl, 'update accounts set cost_method = $1 where id = $2', [
      method,
      mine.accountId,
    ])
    await markAccountDirty(ingest.db, mine.accountId)
    await refreshAccount({ connection: ingest, accountId: mine.accountId, nowMs: NOW.getTime() })
    const { body } = await portfolio(ETH)
    const rows = (await coins('/portfolio/coins')).body.result
    const row = rows.find(({ coin }: any) => coin.identifier === 'ethereum')
    expectCoin(body, row)
    expectEntries(body, body.months.items[0])
    return body
  }

  test('explains cost and profit at average cost from one lot', async () => {
    const body = await byMethod('average')
    const { method, count, price, totalCost, profit } = body.figure
    expect([method, count, price.USD, profit.hour24.USD]).toEqual(['average', '1.77', '2360', '-75.55'])
    expect([totalCost.USD, profit.unrealized.USD, profit.realized.USD].map(places)).toEqual([
      '3767.546082',
      '409.653918',
      '112.246082',
    ])
    expect(body.prices.now).toEqual({ usd: '2360', at: '2024-01-10T00:00:00.000Z', source: 'test' })
    // 2 were bought for 4,000 and a fee of 4, so each cost 2,002. Half a coin of them was sold at T6.
    expect(entryOf(body, 'trade T2', 'trade')).toMatchObject({
      kind: 'acquire',
      count: '2',
      ledger: CONNECTION,
      amount: { USD: '4004' },
      lots: {
        USD: { count: 1, items: [{ acquiredAt: '2024-01-01T12:00:00.000Z', count: '2', cost: '4004' }] },
      },
    })
    const swap = entryOf(body, 'T6', 'trade')
    expect(swap).toMatchObject({
      kind: 'dispose',
      count: '0.5',
      ledger: ids.ethereum,
      amount: { USD: '1089' },
      cost: { USD: '1001' },
      lots: { USD: { count: 1, items: [{ acquiredAt: null, count: '0.5', cost: '1001' }] } },
    })
    expect(swap.legs).toContainEqual({
      coinId: 'ethereum',
      count: '-0.5',
      role: 'trade',
      price: { usd: '2200', at: '2024-01-04T15:00:00.000Z', source: 'test' },
    })
    expect(places(entryOf(body, 'T13', 'fee').cost.USD)).toBe('8.514228')
    const sale = entryOf(body, 'T14', 'trade')
    expect(places(String(Number(sale.amount.USD) - Number(sale.cost.USD)))).toBe('65.577867')
    expect(body.openLots.USD).toMatchObject({ count: 1, items: [{ acquiredAt: null, count: '1.77' }] })
  })

  test.each([
    // The last sale uses the rest of the first lot, or the newest lots: T12 and T9.
    ['fifo', '103.545', [['2024-01-01T12:00:00.000Z', '0.3']]],
    ['lifo', '-26.205', null],
    ['hifo', '-30.855', [['2024-01-06T10:00:00.000Z', '0.3']]],
  ])('by %s lists the lots that T14 used, and the open lots', async (method, gain, used) => {
    const body = await byMethod(method)
    const sale = entryOf(body, 'T14', 'trade')
    expect(places(String(Number(sale.amount.USD) - Number(sale.cost.USD)))).toBe(places(gain))
    if (used)
      expect(sale.lots.USD.items.map(({ acquiredAt, count }: any) => [acquiredAt, count])).toEqual(used)
    expect(body.openLots.USD.count).toBeGreaterThan(1)
    expect(body.entries.count).toBeGreaterThan(8)
    // Reads the lots of the first entry with several lots page by page.
    const items: any[] = body.entries.items
    const several = items.findIndex(({ lots }) => lots.USD.count > 1)
    if (several < 0) return
    const { USD } = items[several].lots
    const one = (await portfolio(`${ETH.replace('100', '1')}&entry=${several + 1}&page=2`)).body.entries
    expect(one.count).toBe(items.length)
    expect(one.items).toHaveLength(1)
    expect(one.items[0].lots.USD).toEqual({ count: USD.count, items: [USD.items[1]] })
    usedSeveral++
  })

  test('a disposal used several lots', () => expect(usedSeveral).toBeGreaterThan(0))

  test('explains one network of the wallet, in pages', async () => {
    const of = `address=${WALLET}&connectionId=base-wallet`
    const [row] = (await walletCoins(`/wallet/pl?${of}&coinId=ethereum`)).body.result
    const path = `/wallet/explain?${of}&coinId=ethereum&month=2024-01`
    const { body, credits } = await wallet(`${path}&limit=100`)
    expect(credits).toBe(25)
    expectCoin(body, row)
    expectEntries(body, body.months.items[0])
    const second = (await wallet(`${path}&limit=1&page=2`)).body.entries
    expect(second).toEqual({ count: body.entries.count, items: [body.entries.items[1]] })
  })
})

describe('access and parameters', () => {
  const refused = async (path: string, key = mine.key) => await refusal(await api.get(path, key))
  const point = `${DAILY}&date=2024-01-06`

  test('another account gets the same 404 as for an unknown portfolio, and 400 for its own empty history', async () => {
    expect(await refused(`/portfolio/explain?${point}&portfolioId=${ids.base}`, theirs.key)).toEqual([
      404,
      `Portfolio with id '${ids.base}' not found`,
    ])
    expect(await refused(`/portfolio/explain?${point}`, theirs.key)).toEqual([400, 'Invalid parameter: date'])
    const coin = '/portfolio/explain?coinId=ethereum'
    expect(await refused(coin, theirs.key)).toEqual([400, 'Invalid parameter: coinId'])
    expect((await refused(`${coin}&portfolioId=${ids.base}`, theirs.key))[0]).toBe(404)
  })

  test('a share token explains its own portfolio and no other', async () => {
    await query(database.ownerUrl, 'update accounts set degen = true where id = $1', [mine.accountId])
    const { token } = await share(api, { portfolioId: ids.base })
    const shared = endpoint(api, { route: getPortfolioExplain, key: theirs.key })
    const { body } = await shared(`/portfolio/explain?${DAILY}&date=2024-01-07&shareToken=${token}`)
    expect(body.start.ledgers).toEqual([{ ledger: ids.base, value: '0', valueUsd: '0' }])
    expect(body.flows.value).toBe('1675.138')
    const other = `/portfolio/explain?${point}&shareToken=${token}&portfolioId=${ids.ethereum}`
    expect(await refused(other, theirs.key)).toEqual([404, 'Shared portfolio not found'])
  })

  test.each([
    ['date', 'interval=daily&range=all'],
    ['date', `${DAILY}&date=2024-01-06T12:00:00Z`],
    ['date', `${DAILY}&date=2023-06-01`],
    ['date', `${DAILY}&date=yesterday`],
    ['interval', 'range=all&date=2024-01-06'],
    ['range', 'interval=daily&date=2024-01-06'],
    ['currency', `${point}&currency=XXX`],
    ['month', `${point}&month=2024-02`],
    ['month', `${point}&month=2024-13`],
    ['limit', `${point}&limit=101`],
    ['page', `${point}&page=0`],
    ['coinId', `${point}&coinId=ethereum`],
    ['coinId', 'range=all&coinId=ethereum'],
    ['coinId', 'coinId=never-held'],
    ['coinId', 'coinId=%20'],
    ['month', 'coinId=ethereum&month=2023-12'],
    ['entry', 'coinId=ethereum&month=2024-01&entry=1000'],
    ['entry', 'coinId=ethereum&entry=1'],
    ['entry', 'coinId=ethereum&month=2024-01&entry=0'],
  ])('returns 400 for %s: %s', async (name, text) => {
    const message = `Invalid parameter: ${name}`
    expect(await refused(`/portfolio/explain?${text}`)).toEqual([400, message])
    expect(await refused(`/wallet/explain?address=${WALLET}&connectionId=all&${text}`)).toEqual([
      400,
      message,
    ])
  })

  test('returns 400 for several networks, and 409 for a wallet that was never synced', async () => {
    const of = (text: string) => `/wallet/explain?${point}&${text}`
    const several = `address=${WALLET}&connectionId=ethereum,base-wallet`
    expect(await refused(of(several))).toEqual([400, 'Invalid parameter: connectionId'])
    expect(await refused(of(`address=${address(9)}&connectionId=all`))).toEqual([
      409,
      'Transactions not synced',
    ])
  })

  test('returns 409 until the figures include a change', async () => {
    const set = (raw: string) =>
      query(database.ownerUrl, `update movements set raw = $1 where tx_hash = 'T9' and role = 'transfer'`, [
        raw,
      ])
    await set('600000000000000000')
    const path = `/portfolio/explain?${DAILY}&date=2024-01-07`
    expect(await refused(path)).toEqual([409, 'Transactions not synced'])
    expect((await ask('2024-01-06')).figure.profitLoss).toBe('78.73')
    const entries = '/portfolio/explain?coinId=ethereum&month=2024-01'
    expect(await refused(entries)).toEqual([409, 'Transactions not synced'])
    await set('500000000000000000')
    expect((await ask('2024-01-07')).figure.profitLoss).toBe('154.9')
  })
})
