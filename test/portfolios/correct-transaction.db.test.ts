import { describe, expect, onTestFinished, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { portfolioWorld } from './portfolio-world.ts'
import { refusal } from '../setup/endpoint.ts'
import { query } from '../setup/query.ts'
import { NOW, startWritesWorld } from './writes-world.ts'

// Owners correct and delete the transactions of their manual portfolios. No worker runs here.

const { database, api, call, json, manual, newest } = await startWritesWorld()

const DAY = Date.parse('2026-03-04T06:00:00Z')

/** An account with a manual portfolio that holds one transaction. */
async function bought(body: object = {}) {
  const { key, accountId } = await api.newAccount()
  const portfolioId = await manual(accountId)
  const right = { portfolioId, coinId: 'bitcoin', count: 2, price: 40_000, date: DAY, notes: 'first' }
  const { id } = await json(
    await call('POST', '/portfolio/transaction', key, { body: { ...right, ...body } }),
  )
  return { key, accountId, portfolioId, id: id as string, path: `/portfolio/transaction/${id}` }
}
const listed = async (key: string): Promise<any[]> =>
  (await json(await call('GET', '/portfolio/transactions?currency=USD', key))).data
const stored = (id: string) =>
  query(
    database.ownerUrl,
    'select at, coin_id, count, price, currency, price_usd, note, derived from manual_transactions where id = $1',
    [id],
  )

describe('PATCH /portfolio/transaction/{id}', () => {
  test('changes the given fields only, answers like the list and orders a recompute', async () => {
    const { key, portfolioId, id, path } = await bought()
    const response = await call('PATCH', path, key, { body: { count: 0.5, notes: '' } })
    expect(response.headers.get('x-credits-cost')).toBe('4')
    const body = await json(response)
    expect(body).toMatchObject({
      id,
      transactionType: 'Buy',
      date: new Date(DAY).toISOString(),
      coinData: { identifier: 'bitcoin', count: 0.5, totalWorth: 20_000, currentValue: 30_000 },
    })
    expect(body).not.toHaveProperty('note')
    expect(await listed(key)).toEqual([body])
    expect(await stored(id)).toEqual([
      {
        at: new Date(DAY),
        coin_id: 'bitcoin',
        count: '0.5',
        price: '40000',
        currency: 'USD',
        price_usd: '40000',
        note: null,
        derived: false,
      },
    ])
    expect(await newest()).toEqual({
      workflow: 'recomputePortfolio',
      workflow_id: `portfolio:${portfolioId}`,
      input: { portfolioId },
    })
    expect(await json(await call('GET', `/portfolio/status?portfolioId=${portfolioId}`, key))).toEqual({
      status: 'syncing',
    })
  })

  test('takes another price, another currency, and null for the price of the instant', async () => {
    const { key, id, path } = await bought()
    const patch = async (body: object) => {
      expect((await call('PATCH', path, key, { body })).status).toBe(200)
      const [row] = await stored(id)
      return [row!['price'], row!['currency'], Number(row!['price_usd'])]
    }
    expect(await patch({ currency: 'eur' })).toEqual(['40000', 'EUR', 50_000])
    expect(await patch({ price: 20_000 })).toEqual(['20000', 'EUR', 25_000])
    expect(await patch({ price: null })).toEqual([null, 'EUR', 50_000])
    expect(await patch({ date: NOW.getTime(), coinId: 'FiatCoinEUR' })).toEqual([null, 'EUR', 2])
  })

  test('of 20 parallel corrections each happens whole or costs nothing, and none undoes another field', async () => {
    const { key, id, path } = await bought()
    const bodies = Array.from({ length: 20 }, (_, i) =>
      i % 2 === 0 ? { count: i + 1 } : { price: 1_000 + i },
    )
    const answers = await Promise.all(bodies.map((body) => call('PATCH', path, key, { body })))
    const done = answers.filter(({ status }) => status === 200)
    expect(done.length).toBeGreaterThan(0)
    for (const answer of answers) expect([200, 503]).toContain(answer.status)
    const charged = await query(
      database.ownerUrl,
      `select 1 from ledger_entries l join portfolios p using (account_id)
       join manual_transactions t on t.portfolio_id = p.id where t.id = $1 and l.endpoint like 'PATCH%'`,
      [id],
    )
    expect(charged).toHaveLength(done.length)
    const isDone = (field: string, value: string) =>
      bodies.some(
        (body, i) => answers[i]!.status === 200 && Object.entries(body).join() === `${field},${value}`,
      )
    const [row] = await stored(id)
    for (const [field, first] of [
      ['count', '2'],
      ['price', '40000'],
    ] as const) {
      const some = bodies.some((body, i) => answers[i]!.status === 200 && field in body)
      if (some) expect(isDone(field, String(row![field]))).toBe(true)
      else expect(row![field]).toBe(first)
    }
  })

  test.each<[string, unknown, number, string]>([
    ['no field', {}, 400, 'Invalid parameter: body'],
    ['a portfolio', { portfolioId: 'x' }, 400, 'Invalid parameter: body'],
    ['an unknown coin', { coinId: 'nobody' }, 404, "Coin with id 'nobody' not found"],
    ['a count of 0', { count: 0 }, 400, 'Invalid parameter: count'],
    ['a count of null', { count: null }, 400, 'Invalid parameter: count'],
    ['a price below zero', { price: -1 }, 400, 'Invalid parameter: price'],
    ['a date in the future', { date: NOW.getTime() + 1 }, 400, 'Invalid parameter: date'],
    ['an unknown currency', { currency: 'ZZZ' }, 400, 'Invalid parameter: currency'],
    ['a note of two lines', { notes: 'a\nb' }, 400, 'Invalid parameter: notes'],
  ])('refuses a body with: %s', async (_name, body, status, message) => {
    const { key, id, path } = await bought()
    const before = await stored(id)
    const response = await call('PATCH', path, key, { body })
    expect(response.headers.get('x-credits-cost')).toBe('0')
    expect(await refusal(response)).toEqual([status, message])
    expect(await stored(id)).toEqual(before)
  })
})

describe('DELETE /portfolio/transaction/{id}', () => {
  test('deletes at once; a repeat returns 404, and under the same key the first answer', async () => {
    const { key, accountId, portfolioId, id, path } = await bought()
    const once = { headers: { 'idempotency-key': 'go' } }
    const answers = await Promise.all(Array.from({ length: 20 }, () => call('DELETE', path, key, once)))
    expect(await Promise.all(answers.map(json))).toEqual(answers.map(() => ({ success: true })))
    expect(await refusal(await call('DELETE', path, key))).toEqual([
      404,
      `Transaction with id '${id}' not found`,
    ])
    expect((await call('DELETE', path, key, once)).headers.get('idempotency-replayed')).toBe('true')
    expect(await listed(key)).toEqual([])
    expect(await newest()).toMatchObject({ workflow_id: `portfolio:${portfolioId}` })
    expect(
      await query(
        database.ownerUrl,
        `select credits from ledger_entries where account_id = $1 and endpoint like 'DELETE%'`,
        [accountId],
      ),
    ).toEqual([{ credits: '4' }])
  })
})

test.each(['PATCH', 'DELETE'])(
  'S1 %s: a transaction of another account gets the same answer as an unknown one',
  async (method) => {
    const { id, path, portfolioId, key } = await bought()
    const stranger = await api.newAccount()
    const send = (to: string, as: string) =>
      call(method, to, as, method === 'PATCH' ? { body: { count: 1 } } : {})
    for (const [as, other] of [
      [stranger.key, id],
      [key, portfolioId],
      [key, 'x'],
    ] as const)
      expect(await refusal(await send(`/portfolio/transaction/${other}`, as))).toEqual([
        404,
        `Transaction with id '${other}' not found`,
      ])
    expect(await stored(id)).toHaveLength(1)
    expect((await call('DELETE', `/portfolio/${portfolioId}`, key)).status).toBe(200)
    expect((await send(path, key)).status).toBe(404)
  },
)

test('profit and loss follow a correction from its earlier day on, and end with the last transaction', async () => {
  const ingest = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
  onTestFinished(() => ingest.close())
  const world = portfolioWorld(database, { db: api.owner }, ingest)
  const { key, portfolioId, path } = await bought()
  const figures = async () => {
    await world.recompute(portfolioId)
    const at = `portfolioId=${portfolioId}&currency=USD`
    const value = await json(await call('GET', `/portfolio/value?${at}`, key))
    const days = await query<{ day: string }>(
      database.ownerUrl,
      `select to_char(d.at, 'DD') as day from pl_days d join portfolio_books b using (book_id)
       where b.portfolio_id = $1 order by d.at`,
      [portfolioId],
    )
    return [value.totalCost, days[0]?.day]
  }
  expect(await figures()).toEqual([80_000, '05'])
  const moved = { date: Date.parse('2026-03-02T06:00:00Z'), count: 1 }
  expect((await call('PATCH', path, key, { body: moved })).status).toBe(200)
  expect(await figures()).toEqual([40_000, '03'])
  expect((await call('PATCH', path, key, { body: { date: DAY, price: 30_000 } })).status).toBe(200)
  expect(await figures()).toEqual([30_000, '05'])
  expect((await call('DELETE', path, key)).status).toBe(200)
  expect(await figures()).toEqual([0, undefined])
})
