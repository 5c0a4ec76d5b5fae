import { describe, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { changePlan } from '../../db/metering/write.ts'
import { uuidV7 } from '../../db/values/uuid-v7.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { probeRoutes } from './probe-routes.ts'

const database = await testDatabase()
const api = await startApi({ database, routes: [...routes, ...probeRoutes] })

const usage = async (key: string) =>
  (await (await api.get('/usage/credits', key)).json()) as Record<string, number | string>

interface Books {
  n: number
  granted: string
  posted: string
  ledger: string
  entries: string
  outside: string
}

/**
 * The periods of an account with the sums of its ledger, and the number of entries outside of their period.
 */
const books = (accountId: string) =>
  query<Books>(
    database.ownerUrl,
    `select p.n, p.granted, p.posted, coalesce(sum(l.credits), 0) as ledger, count(l.*) as entries,
       count(*) filter (where l.at < p.starts_at or l.at >= p.ends_at) as outside
     from credit_periods p left join ledger_entries l on l.account_id = p.account_id and l.n = p.n
     where p.account_id = $1 group by p.account_id, p.n order by p.n`,
    [accountId],
  )

const charge = (accountId: string, credits: number, requestId = uuidV7(Date.now())) => ({
  requestId,
  accountId,
  credits,
  endpoint: 'GET /probe',
  priceInput: null,
})

describe('C4 never overspent', () => {
  test('64 racers with 6,400 calls of 25 on 20,000 credits pay for exactly 800', async () => {
    const { accountId, key } = await api.newAccount({ plan: 'free' })
    const statuses: number[] = []
    await Promise.all(
      Array.from({ length: 64 }, async () => {
        for (let i = 0; i < 100; i++) {
          const response = await api.get('/probe', key)
          await response.arrayBuffer()
          statuses.push(response.status)
        }
      }),
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(800)
    expect(statuses.filter((status) => status === 429)).toHaveLength(5_600)
    expect(await books(accountId)).toMatchObject([{ posted: '20000', ledger: '20000', entries: '800' }])
  })

  test('four connections race for 30,000 credits with costs from 1 to 60: granted is exactly spent', async () => {
    const { accountId } = await api.newAccount({ credits: 30_000 })
    let paid = 0
    await Promise.all(
      Array.from({ length: 4 }, async (_, racer) => {
        for (let round = 0; round < 40; round++) {
          const batch = Array.from({ length: 16 }, (_, i) =>
            charge(accountId, 1 + ((racer * 7 + round * 13 + i * 29) % 60)),
          )
          const results = await api.meter.charge(batch)
          results.forEach((result, i) => (paid += result.paid ? batch[i]!.credits : 0))
        }
      }),
    )
    while ((await api.meter.charge([charge(accountId, 1)]))[0]!.paid) paid++
    expect(paid).toBe(30_000)
    expect(await books(accountId)).toMatchObject([{ posted: '30000', ledger: '30000' }])
  })

  test('accounts in opposite orders on several connections do not deadlock', async () => {
    const accounts = await Promise.all(
      Array.from({ length: 8 }, () => api.newAccount({ credits: 1_000_000 })),
    )
    const ids = accounts.map(({ accountId }) => accountId)
    await Promise.all(
      Array.from({ length: 6 }, async (_, racer) => {
        const order = racer % 2 === 0 ? ids : ids.toReversed()
        for (let i = 0; i < 30; i++) {
          await api.meter.charge(order.map((id) => charge(id, 3)))
          await api.meter.admit(new Map(order.map((id) => [id, 1])))
        }
      }),
    )
    for (const id of ids)
      expect(await books(id)).toMatchObject([{ posted: '540', ledger: '540', entries: '180' }])
  })
})

describe('group commit', () => {
  test('if a batch exceeds the credits, its charges that fit still pass', async () => {
    const { accountId } = await api.newAccount({ credits: 100 })
    const other = await api.newAccount({ credits: 100 })
    const results = await api.meter.charge([
      charge(accountId, 60),
      charge(accountId, 60),
      charge(other.accountId, 70),
      charge(accountId, 40),
      charge(accountId, 1),
    ])
    expect(results.map(({ paid }) => paid)).toEqual([true, false, true, true, false])
    expect(results[0]!.balance).toMatchObject({ granted: 100, available: 0 })
    expect(results[2]!.balance).toMatchObject({ granted: 100, available: 30 })
    expect(await books(accountId)).toMatchObject([{ posted: '100', ledger: '100', entries: '2' }])
  })

  test('a request id is charged once: in one batch, in a later one, and without credits left', async () => {
    const { accountId } = await api.newAccount({ credits: 100 })
    const twice = charge(accountId, 40)
    expect((await api.meter.charge([twice, twice])).map(({ paid }) => paid)).toEqual([true, true])
    await Promise.all(Array.from({ length: 20 }, () => api.meter.charge([twice])))
    expect(await books(accountId)).toMatchObject([{ posted: '40', entries: '1' }])
    expect((await api.meter.charge([twice, charge(accountId, 70)])).map(({ paid }) => paid)).toEqual([
      true,
      false,
    ])
    expect(await books(accountId)).toMatchObject([{ posted: '40', ledger: '40', entries: '1' }])
  })
})

describe('refusals', () => {
  test('too few credits: no Retry-After but the time of the next period, and cheaper calls still pass', async () => {
    const { key } = await api.newAccount({ credits: 60 })
    expect((await api.get('/probe/spend?units=30', key)).status).toBe(200)
    const tooMuch = await api.get('/probe/spend?units=31', key)
    expect(tooMuch.status).toBe(429)
    expect(await tooMuch.json()).toMatchObject({ message: 'Insufficient credits for this request' })
    const reset = Number(tooMuch.headers.get('x-credits-reset'))
    expect(reset).toBeGreaterThan(0)
    expect(tooMuch.headers.get('retry-after')).toBeNull()
    expect(tooMuch.headers.get('x-credits-cost')).toBe('0')
    expect(tooMuch.headers.get('x-credits-remaining')).toBe('30')

    const never = await api.get('/probe/spend?units=61', key)
    expect(await never.json()).toMatchObject({ message: 'Insufficient credits for this request' })
    expect(never.headers.get('retry-after')).toBeNull()

    expect((await api.get('/probe/spend?units=30', key)).headers.get('x-credits-remaining')).toBe('0')
    const spent = await api.get('/probe/spend?units=1', key)
    expect(await spent.json()).toMatchObject({ statusCode: 429, message: 'Credits limit reached' })
    expect(spent.headers.get('retry-after')).toBeNull()
    expect(Number(spent.headers.get('x-credits-reset'))).toBeGreaterThan(0)
  })

  test('C6 errors and disconnected clients are not charged', async () => {
    const { accountId, key } = await api.newAccount()
    for (const path of ['/probe?page=0', '/probe/items/other', '/probe/unsynced', '/probe/broken', '/nope'])
      expect((await api.get(path, key)).status).toBeGreaterThanOrEqual(400)
    const leaving = new AbortController()
    const left = api.get('/probe/slow', key, { signal: leaving.signal })
    setTimeout(() => leaving.abort(), 50)
    await expect(left).rejects.toThrow()
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect((await usage(key)).usedCredits).toBe(0)
    expect(await books(accountId)).toMatchObject([{ posted: '0', entries: '0' }])
  })

  test('C7 a multiplied price is charged, and the ledger stores its multipliers', async () => {
    const { accountId, key } = await api.newAccount()
    const address = `0x${'a'.repeat(40)}`
    const response = await api.get(
      `/probe/networks?connectionId=all,ethereum,ethereum&address=${address}`,
      key,
    )
    expect(response.headers.get('x-credits-cost')).toBe('275')
    const entries = await query(
      database.ownerUrl,
      'select request_id, kind, credits, endpoint, price_input from ledger_entries where account_id = $1',
      [accountId],
    )
    expect(entries).toEqual([
      {
        request_id: response.headers.get('x-request-id'),
        kind: 'charge',
        credits: '275',
        endpoint: 'GET /probe/networks',
        price_input: '1 one, 1 all',
      },
    ])
  })
})

describe('C11 /usage/credits', () => {
  test('includes the latest charge, is free, and works without credits', async () => {
    const { key } = await api.newAccount({ plan: 'pro', credits: 75 })
    const at = (used: number) => ({
      totalCredits: 75,
      usedCredits: used,
      remainingCredits: 75 - used,
      subscription: 'PRO',
    })
    expect(await usage(key)).toEqual(at(0))
    for (const used of [25, 50, 75]) {
      expect((await api.get('/probe', key)).status).toBe(200)
      expect(await usage(key)).toEqual(at(used))
    }
    expect((await api.get('/usage/credits', key)).headers.get('x-credits-cost')).toBe('0')
  })

  test('keys of one account share its credits', async () => {
    const { accountId, key } = await api.newAccount({ credits: 50 })
    const { createKey } = await import('../../db/metering/write.ts')
    const second = await createKey(api.owner, { accountId, name: 'second' })
    expect((await api.get('/probe', key)).status).toBe(200)
    expect((await api.get('/probe', second.key)).status).toBe(200)
    expect((await api.get('/probe', key)).status).toBe(429)
  })
})

describe('periods', () => {
  test('C8 at a period boundary under load, every charge is in exactly one period and no request fails', async () => {
    const boundary = new Date(Date.now() + 1_500)
    const anchorAt = new Date(boundary)
    anchorAt.setUTCMonth(anchorAt.getUTCMonth() - 1)
    // The boundary would move if the previous month did not have that day.
    if (anchorAt.getUTCDate() !== boundary.getUTCDate())
      anchorAt.setTime(boundary.getTime() - 28 * 86_400_000)
    const { accountId, key } = await api.newAccount({ anchorAt })
    let answered = 0
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        while (Date.now() < boundary.getTime() + 500) {
          const response = await api.get('/probe', key)
          await response.arrayBuffer()
          expect(response.status).toBe(200)
          answered++
        }
      }),
    )
    const periods = await books(accountId)
    expect(periods.map(({ n }) => n)).toEqual([0, 1])
    for (const period of periods) {
      expect(period.posted).toBe(period.ledger)
      expect(period.outside).toBe('0')
      expect(Number(period.entries)).toBeGreaterThan(0)
    }
    expect(periods.reduce((total, { entries }) => total + Number(entries), 0)).toBe(answered)
    const [rows] = await query(
      database.ownerUrl,
      'select a.ends_at = b.starts_at as adjoin from credit_periods a join credit_periods b using (account_id) where a.account_id = $1 and a.n = 0 and b.n = 1',
      [accountId],
    )
    expect(rows).toEqual({ adjoin: true })
  })

  test.each(['UTC', 'America/New_York', 'Asia/Kathmandu'])(
    'C9 for anchors on the 28th to 31st, 120 boundaries are one calendar month apart (session in %s)',
    async (zone) => {
      for (const anchor of [
        '2024-01-31T22:30:00Z',
        '2023-12-30T01:30:00Z',
        '2024-02-29T12:00:00Z',
        '2025-01-28T00:00:00Z',
      ]) {
        const rows = await query<{ starts_at: Date; n_at: number; n_before: number }>(
          database.ownerUrl,
          `select s.at as starts_at, period_number($1, s.at) as n_at, period_number($1, s.at - interval '1 ms') as n_before
           from set_config('timezone', $2, false),
             lateral (select n, period_start($1, n) as at from generate_series(1, 120) n) s order by s.n`,
          [anchor, zone],
        )
        const first = new Date(anchor)
        rows.forEach(({ starts_at, n_at, n_before }, i) => {
          const month = first.getUTCMonth() + i + 1
          const lastDay = new Date(Date.UTC(first.getUTCFullYear(), month + 1, 0)).getUTCDate()
          const expected =
            Date.UTC(first.getUTCFullYear(), month, Math.min(first.getUTCDate(), lastDay)) +
            (first.getTime() % 86_400_000)
          expect(starts_at.getTime()).toBe(expected)
          expect([n_before, n_at]).toEqual([i, i + 1])
        })
        expect(rows).toHaveLength(120)
      }
    },
  )

  test('C10 a plan change under load never leaves less granted than spent', async () => {
    const { accountId, key } = await api.newAccount({ plan: 'starter' })
    let stop = false
    const load = Promise.all(
      Array.from({ length: 8 }, async () => {
        while (!stop) await (await api.get('/probe/spend?units=900', key)).arrayBuffer()
      }),
    )
    for (const plan of ['free', 'pro', 'free', 'starter', 'free'] as const) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      await changePlan(api.owner, { accountId, plan })
      const [period] = await books(accountId)
      expect(Number(period!.posted)).toBeLessThanOrEqual(Number(period!.granted))
    }
    stop = true
    await load
    const [period] = await books(accountId)
    expect(period!.posted).toBe(period!.ledger)
    expect((await usage(key)).subscription).toBe('FREE')
  })
})

describe('C5 Idempotency-Key', () => {
  const patch = (key: string, idempotencyKey: string, search = '') =>
    api.get(`/probe${search}`, key, { method: 'PATCH', headers: { 'idempotency-key': idempotencyKey } })

  test('100 parallel repeats: one charge, one command, equal bodies', async () => {
    const { accountId, key } = await api.newAccount({ credits: 30 })
    const before = await query(database.ownerUrl, 'select id from outbox')
    const responses = await Promise.all(Array.from({ length: 100 }, () => patch(key, 'order-1')))
    const bodies = await Promise.all(responses.map((response) => response.text()))
    expect(responses.every(({ status }) => status === 200)).toBe(true)
    expect(new Set(bodies).size).toBe(1)
    expect(responses.filter(({ headers }) => headers.get('x-credits-cost') === '25')).toHaveLength(1)
    expect(await books(accountId)).toMatchObject([{ posted: '25', entries: '1' }])
    expect(await query(database.ownerUrl, 'select id from outbox')).toHaveLength(before.length + 1)
    // A repeat works even when the credits do not cover another call.
    expect(await (await patch(key, 'order-1')).text()).toBe(bodies[0])
    expect((await patch(key, 'order-2')).status).toBe(429)
  })

  test('other parameters with the same key are 400; keys are separate per account; GET ignores the header', async () => {
    const a = await api.newAccount()
    const b = await api.newAccount()
    const first = await (await patch(a.key, 'k')).text()
    const other = await patch(a.key, 'k', '?note=a')
    expect(other.status).toBe(400)
    expect(await other.json()).toMatchObject({ message: 'Idempotency-Key was used with other parameters' })
    expect(await (await patch(b.key, 'k')).text()).not.toBe(first)
    expect((await patch(a.key, 'x'.repeat(256))).status).toBe(400)
    for (let i = 0; i < 2; i++) await api.get('/probe', a.key, { headers: { 'idempotency-key': 'g' } })
    expect(await books(a.accountId)).toMatchObject([{ posted: '75', entries: '3' }])
  })
})

test('C3 for every account of this file, posted credits equal the ledger', async () => {
  const wrong = await query(
    database.ownerUrl,
    `select p.account_id, p.n, p.posted, sum(l.credits) from credit_periods p
     left join ledger_entries l using (account_id, n) group by p.account_id, p.n, p.posted
     having p.posted <> coalesce(sum(l.credits), 0)`,
  )
  expect(wrong).toEqual([])
})
