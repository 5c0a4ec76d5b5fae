import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { changePlan, topUp } from '../../db/metering/write.ts'
import { uuidV7 } from '../../db/values/uuid-v7.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { probeRoutes } from '../api/probe-routes.ts'
import { routes } from '../../api/routes.ts'
import { booksOf, passTime } from './account-clock.ts'

// Top-ups and refunds. Time passes by making all rows of an account older.

const database = await testDatabase()
const api = await startApi({ database, routes: [...routes, ...probeRoutes] })
const meter = openDb({ url: database.meterUrl, maxConnections: 8, applicationName: 'test' })
const DAY_MS = 86_400_000
/** Longer than any month. */
const MONTH_MS = 31 * DAY_MS
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS)

const usage = async (key: string) => {
  const { totalCredits, usedCredits } = (await (await api.get('/usage/credits', key)).json()) as Record<
    string,
    number
  >
  return [totalCredits, usedCredits]
}
const charge = (accountId: string, credits: number, requestId = uuidV7(Date.now())) => ({
  requestId,
  accountId,
  credits,
  endpoint: 'GET /probe',
  priceInput: null,
})
const spend = async (accountId: string, credits: number) =>
  (await api.meter.charge([charge(accountId, credits)]))[0]!.paid
const pass = (accountId: string, ms: number) => passTime(database.ownerUrl, { accountId, ms })
const add = (accountId: string, credits: number, days?: number, id: string = randomUUID()) =>
  topUp(api.owner, {
    id,
    accountId,
    credits: BigInt(credits),
    ...(days !== undefined && { expiresAt: inDays(days) }),
  })

describe('top-ups', () => {
  test('count at once, and expire at the end of the period by default', async () => {
    const { accountId, key } = await api.newAccount({ credits: 100 })
    expect(await usage(key)).toEqual([100, 0])
    expect(await spend(accountId, 100)).toBe(true)
    expect(await spend(accountId, 1)).toBe(false)
    const { added, expiresAt } = await add(accountId, 50)
    expect(added).toBe(true)
    expect(expiresAt.getTime()).toBeGreaterThan(inDays(27).getTime())
    expect(await usage(key)).toEqual([150, 100])
    expect([await spend(accountId, 51), await spend(accountId, 50)]).toEqual([false, true])
    await pass(accountId, MONTH_MS)
    expect(await usage(key)).toEqual([100, 0])
  })

  test('carry their rest into later periods until they expire, and are spent after the plan', async () => {
    const { accountId, key } = await api.newAccount({ credits: 100 })
    await add(accountId, 1_000, 80)
    expect(await spend(accountId, 130)).toBe(true)
    await pass(accountId, MONTH_MS)
    expect(await usage(key)).toEqual([1_070, 0])
    expect(await spend(accountId, 60)).toBe(true)
    await pass(accountId, MONTH_MS)
    expect(await usage(key)).toEqual([1_070, 0])
    await pass(accountId, MONTH_MS)
    expect(await usage(key)).toEqual([100, 0])
  })

  test('are spent earliest expiry first, and lose their rest when they expire within a period', async () => {
    const { accountId, key } = await api.newAccount({ credits: 100 })
    await add(accountId, 300, 60)
    await add(accountId, 200, 2)
    expect(await spend(accountId, 250)).toBe(true)
    expect(await usage(key)).toEqual([600, 250])
    await pass(accountId, 3 * DAY_MS)
    // 100 of the plan and 150 of the second: 50 expire.
    expect(await usage(key)).toEqual([550, 250])
    expect([await spend(accountId, 301), await spend(accountId, 300)]).toEqual([false, true])
    await pass(accountId, MONTH_MS)
    expect(await usage(key)).toEqual([100, 0])
  })

  test('lose nothing in periods without requests, which get no rows', async () => {
    const { accountId, key } = await api.newAccount({ credits: 10 })
    await add(accountId, 500, 200)
    expect(await spend(accountId, 110)).toBe(true)
    await pass(accountId, 4 * MONTH_MS)
    expect(await usage(key)).toEqual([410, 0])
    expect((await booksOf(database.ownerUrl, accountId)).map(({ n }) => n)).toEqual([0, 4])
  })

  test('are added once per id; the id with another amount or account fails', async () => {
    const { accountId, key } = await api.newAccount({ credits: 10 })
    const stranger = await api.newAccount()
    const id = randomUUID()
    const all = await Promise.all(Array.from({ length: 10 }, () => add(accountId, 5, 3, id)))
    expect(all.filter(({ added }) => added)).toHaveLength(1)
    expect(await usage(key)).toEqual([15, 0])
    await expect(add(accountId, 6, 3, id)).rejects.toThrow('the id')
    await expect(add(stranger.accountId, 5, 3, id)).rejects.toThrow('the id')
    await expect(add(accountId, 5, -1)).rejects.toThrow('in the future')
    expect(await usage(key)).toEqual([15, 0])
  })

  test('stay the same when the plan changes', async () => {
    const { accountId, key } = await api.newAccount({ plan: 'starter' })
    await add(accountId, 1_000, 60)
    expect(await spend(accountId, 500_000)).toBe(true)
    await changePlan(api.owner, { accountId, plan: 'free' })
    // The plan's credits are spent; the bought ones are not.
    expect(await usage(key)).toEqual([501_000, 500_000])
    expect([await spend(accountId, 1_001), await spend(accountId, 600)]).toEqual([false, true])
    await changePlan(api.owner, { accountId, plan: 'pro' })
    expect(await usage(key)).toEqual([10_001_000, 500_600])
    await changePlan(api.owner, { accountId, plan: 'free' })
    await pass(accountId, MONTH_MS)
    expect(await usage(key)).toEqual([21_000, 0])
  })

  test('C4 concurrent charges across an expiry and a period end spend exactly what was granted', async () => {
    const { accountId } = await api.newAccount({ credits: 1_000 })
    await add(accountId, 2_000, 90)
    await add(accountId, 500, 10)
    let paid = 0
    const race = async (calls: number) => {
      await Promise.all(
        Array.from({ length: 4 }, async () => {
          for (let i = 0; i < calls; i++) {
            const batch = Array.from({ length: 8 }, (_, n) => charge(accountId, 1 + ((i * 5 + n * 3) % 23)))
            const results = await api.meter.charge(batch)
            results.forEach((result, n) => (paid += result.paid ? batch[n]!.credits : 0))
          }
        }),
      )
    }
    await race(3)
    expect(paid).toBeGreaterThan(1_000)
    expect(paid).toBeLessThan(1_500)
    const spentOfTheFirst = paid - 1_000
    await pass(accountId, 11 * DAY_MS)
    await race(1)
    await pass(accountId, MONTH_MS)
    await race(40)
    while (await spend(accountId, 1)) paid++
    // Two months of the plan, the spent part of the expired top-up, and all of the other top-up.
    expect(paid).toBe(2 * 1_000 + spentOfTheFirst + 2_000)
    for (const { granted, posted, ledger } of await booksOf(database.ownerUrl, accountId)) {
      expect(posted).toBe(ledger)
      expect(Number(posted)).toBeLessThanOrEqual(Number(granted))
    }
  })
})

describe('refunds', () => {
  const refund = async (requestId: string, credits: number) =>
    (
      await query<{ done: boolean }>(database.meterUrl, 'select refund_charge($1, $2) as done', [
        requestId,
        credits,
      ])
    )[0]!.done

  test('return a charge or a part of it, once, while its period is open', async () => {
    const { accountId, key } = await api.newAccount({ credits: 100 })
    const one = charge(accountId, 80)
    await api.meter.charge([one])
    expect(await Promise.all(Array.from({ length: 10 }, () => refund(one.requestId, 50)))).toContain(true)
    expect(await usage(key)).toEqual([100, 30])
    for (const [id, credits] of [
      [one.requestId, 10],
      [uuidV7(0), 1],
    ] as const)
      expect(await refund(id, credits)).toBe(false)
    const two = charge(accountId, 5)
    await api.meter.charge([two])
    expect([await refund(two.requestId, 6), await refund(two.requestId, 0)]).toEqual([false, false])
    await pass(accountId, MONTH_MS)
    await usage(key)
    expect(await refund(two.requestId, 5)).toBe(false)
    const books = await booksOf(database.ownerUrl, accountId)
    expect(books).toMatchObject([{ posted: '35', ledger: '35' }, { posted: '0' }])
    const days = await query(
      database.ownerUrl,
      `select calls, credits from usage_by_day($1, current_date - 40)`,
      [accountId],
    )
    expect(days).toEqual([{ calls: '2', credits: '35' }])
  })

  test('commit with their charge, which keeps the cost of the part that did not fail', async () => {
    const { accountId, key } = await api.newAccount({ credits: 100 })
    const one = { ...charge(accountId, 80), refund: 30 }
    const results = [await api.meter.chargeInPart(one), await api.meter.chargeInPart(one)]
    expect(results.map(({ paid, balance }) => [paid, balance.available])).toEqual([
      [true, 50],
      [true, 50],
    ])
    expect(await api.meter.chargeInPart({ ...charge(accountId, 80), refund: 80 })).toMatchObject({
      paid: false,
    })
    expect(await usage(key)).toEqual([100, 50])
  })
})

test('C3 for every account of this file, posted equals the sum of its ledger and of its days', async () => {
  const wrong = await query(
    database.ownerUrl,
    `select p.account_id from (select account_id, sum(posted) as posted from credit_periods group by 1) p
     left join (select account_id, sum(case kind when 'refund' then -credits else credits end) as credits
       from ledger_entries group by 1) l using (account_id)
     left join (select account_id, sum(credits) as credits from usage_days group by 1) d using (account_id)
     where p.posted <> coalesce(l.credits, 0) or p.posted <> coalesce(d.credits, 0)`,
  )
  expect(wrong).toEqual([])
  await meter.close()
})
