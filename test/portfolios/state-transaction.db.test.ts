import { describe, expect, test } from 'vitest'
import { postPortfolioTransaction } from '../../api/portfolios/post-transaction.ts'
import { endpoint, refusal } from '../setup/endpoint.ts'
import { query } from '../setup/query.ts'
import { NOW, WALLET, startWritesWorld } from './writes-world.ts'

// Manual transactions of clients, with every kind of bad input. No worker runs here.

const { database, api, call, json, manual, newest } = await startWritesWorld()

describe('POST /portfolio/transaction', () => {
  test('returns the value then and now, stores exact amounts and orders a recompute', async () => {
    const { key, accountId } = await api.newAccount()
    const portfolioId = await manual(accountId)
    const response = await endpoint(api, { route: postPortfolioTransaction, key })('/portfolio/transaction', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        portfolioId,
        coinId: 'bitcoin',
        count: 0.1,
        price: 40_000,
        currency: 'eur',
        notes: 'gift',
        date: Date.parse('2026-03-02T00:00:00Z'),
      }),
    })
    expect(response.credits).toBe(4)
    expect(response.body).toMatchObject({
      transactionType: 'Buy',
      date: '2026-03-02T00:00:00.000Z',
      note: 'gift',
      portfolioInfo: { name: 'Mine', icon: '' },
      // 40,000 EUR were 50,000 USD then; 60,000 USD are 30,000 EUR now.
      coinData: { identifier: 'bitcoin', count: 0.1, symbol: 'BTC', totalWorth: 4_000, currentValue: 3_000 },
      profitLoss: { profit: -1_000, profitPercent: -25, currentValue: 3_000 },
      fee: { count: 0, totalWorth: 0 },
      transfers: [{ transferType: 'Received', items: [{ count: 0.1, totalWorth: 4_000, price: 40_000 }] }],
    })
    expect(await newest()).toEqual({
      workflow: 'recomputePortfolio',
      workflow_id: `portfolio:${portfolioId}`,
      input: { portfolioId },
    })
    const [row] = await query(
      database.ownerUrl,
      'select at, coin_id, count, price, currency, price_usd, note, derived from manual_transactions where portfolio_id = $1',
      [portfolioId],
    )
    expect(row).toEqual({
      at: new Date('2026-03-02T00:00:00Z'),
      coin_id: 'bitcoin',
      count: '0.1',
      price: '40000',
      currency: 'EUR',
      price_usd: '50000',
      note: 'gift',
      derived: false,
    })
    expect(await json(await call('GET', `/portfolio/status?portfolioId=${portfolioId}`, key))).toEqual({
      status: 'syncing',
    })
  })

  test('uses the price in force without a price, and takes sales and currencies', async () => {
    const { key, accountId } = await api.newAccount()
    const portfolioId = await manual(accountId)
    const post = async (body: object) =>
      json(await call('POST', '/portfolio/transaction', key, { body: { portfolioId, ...body } }))
    const sold = await post({ coinId: 'bitcoin', count: -1e-8, date: Date.parse('2026-03-05T00:00:00Z') })
    expect(sold).toMatchObject({ transactionType: 'Sell', coinData: { count: -1e-8, totalWorth: 50_000e-8 } })
    expect(sold.profitLoss.profit).toBeCloseTo(-10_000e-8, 12)
    const money = await post({ coinId: 'FiatCoinEUR', count: 100 })
    expect(money).toMatchObject({
      transactionType: 'Received',
      date: NOW.toISOString(),
      coinData: { identifier: 'FiatCoinEUR', symbol: 'EUR', totalWorth: 200, currentValue: 200 },
    })
    expect(money).not.toHaveProperty('note')
    const rows = await query(
      database.ownerUrl,
      'select count, price, price_usd from manual_transactions where portfolio_id = $1 order by at',
      [portfolioId],
    )
    expect(rows.map((row) => ({ ...row, price_usd: Number(row['price_usd']) }))).toEqual([
      { count: '-0.00000001', price: null, price_usd: 50_000 },
      { count: '100', price: null, price_usd: 2 },
    ])
  })

  test("adds only to the caller's own manual portfolio", async () => {
    const { key, accountId } = await api.newAccount()
    const stranger = await api.newAccount()
    const mine = await manual(accountId)
    const add = (as: string, portfolioId?: string) =>
      call('POST', '/portfolio/transaction', as, { body: { portfolioId, coinId: 'bitcoin', count: 1 } })
    const { portfolioId } = await json(
      await call('POST', '/portfolio/wallet', key, { body: { address: WALLET, connectionId: 'ethereum' } }),
    )
    const said = async (response: Response) => {
      const { statusCode, message, error } = await json(response)
      expect(response.headers.get('x-credits-cost')).toBe('0')
      return [statusCode, message, error]
    }
    const refused = 'You are not allowed to add transactions to this portfolio'
    expect(await said(await add(key, portfolioId))).toEqual([403, refused, refused])
    expect(await said(await add(key))).toEqual([400, 'shareToken is required', 'shareToken is required'])
    for (const id of [mine, '01990000-0000-7000-8000-000000000001'])
      expect(await said(await add(stranger.key, id))).toEqual([
        404,
        `Portfolio with id '${id}' not found`,
        undefined,
      ])
    expect((await add(key, mine)).status).toBe(200)
  })

  const right = { coinId: 'bitcoin', count: 1 }
  test.each<[string, object, number, string]>([
    ['no coin', { coinId: undefined }, 400, 'Invalid parameter: coinId'],
    ['an unknown coin', { coinId: 'nobody' }, 404, "Coin with id 'nobody' not found"],
    ['an unknown fiat coin', { coinId: 'FiatCoinZZZ' }, 404, "Coin with id 'FiatCoinZZZ' not found"],
    ['a fiat coin in lower case', { coinId: 'FiatCoineur' }, 404, "Coin with id 'FiatCoineur' not found"],
    ['a coin with a space', { coinId: ' bitcoin' }, 400, 'Invalid parameter: coinId'],
    ['no count', { count: undefined }, 400, 'Invalid parameter: count'],
    ['a count of 0', { count: 0 }, 400, 'Invalid parameter: count'],
    ['a count as text', { count: '1' }, 400, 'Invalid parameter: count'],
    ['a count that is too large', { count: 1e19 }, 400, 'Invalid parameter: count'],
    ['a count that is too small', { count: 5e-324 }, 400, 'Invalid parameter: count'],
    ['a price below zero', { price: -1 }, 400, 'Invalid parameter: price'],
    ['a price as text', { price: '1' }, 400, 'Invalid parameter: price'],
    ['a date in the future', { date: NOW.getTime() + 1 }, 400, 'Invalid parameter: date'],
    ['a date before Bitcoin', { date: Date.UTC(2009, 0, 1) - 1 }, 400, 'Invalid parameter: date'],
    ['a date in seconds', { date: NOW.getTime() / 1_000 }, 400, 'Invalid parameter: date'],
    ['a date with half a millisecond', { date: NOW.getTime() - 0.5 }, 400, 'Invalid parameter: date'],
    ['a date as text', { date: '2026-03-01' }, 400, 'Invalid parameter: date'],
    ['an unknown currency', { currency: 'ZZZ' }, 400, 'Invalid parameter: currency'],
    ['an empty currency', { currency: '' }, 400, 'Invalid parameter: currency'],
    ['a long note', { notes: 'x'.repeat(1_001) }, 400, 'Invalid parameter: notes'],
    ['a note of two lines', { notes: 'a\nb' }, 400, 'Invalid parameter: notes'],
    ['a note with an invisible character', { notes: 'a\u200bb' }, 400, 'Invalid parameter: notes'],
    ['a malformed portfolio id', { portfolioId: '../x' }, 400, 'Invalid parameter: portfolioId'],
    ['an unknown field', { fee: 1 }, 400, 'Invalid parameter: body'],
  ])('refuses a body with: %s', async (_name, change, status, message) => {
    const { key, accountId } = await api.newAccount()
    const portfolioId = await manual(accountId)
    const body = { portfolioId, ...right, ...change }
    const response = await call('POST', '/portfolio/transaction', key, { body })
    expect(await refusal(response)).toEqual([status, message])
    expect(response.headers.get('x-credits-cost')).toBe('0')
    expect(
      await query(database.ownerUrl, 'select id from manual_transactions where portfolio_id = $1', [
        portfolioId,
      ]),
    ).toEqual([])
  })

  test('accepts the longest note, made of letters of two code units', async () => {
    const { key, accountId } = await api.newAccount()
    const body = { ...right, portfolioId: await manual(accountId), notes: '𝒙'.repeat(1_000) }
    expect(await json(await call('POST', '/portfolio/transaction', key, { body }))).toMatchObject({
      note: body.notes,
    })
  })
})
