import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { topUp } from '../../db/metering/write.ts'
import { uuidV7 } from '../../db/values/uuid-v7.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { runs } from '../setup/runs.ts'
import { booksOf, passTime } from './account-clock.ts'
import { createModel, type Step } from './ledger-model.ts'

// Compares random histories of one account on the real functions with a model that counts whole days.

const database = await testDatabase()
const api = await startApi({ database, routes: [] })
const meter = openDb({ url: database.meterUrl, maxConnections: 2, applicationName: 'test' })
const DAY_MS = 86_400_000
const PLAN = 1_000

const credits = fc.integer({ min: 1, max: 700 })
const which = fc.nat(9)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('charge' as const), credits }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('replay' as const), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('refund' as const), which }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('topUp' as const),
      credits,
      days: fc.integer({ min: 1, max: 70 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), days: fc.integer({ min: 1, max: 25 }) }),
  },
)

test('C4 any sequence of steps leaves an account with the credits of the model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const { accountId } = await api.newAccount({ credits: PLAN })
      const model = createModel(PLAN)
      const charges: { requestId: string; credits: number }[] = []
      const at = <T>(list: readonly T[], index: number): T | undefined =>
        list[index % Math.max(1, list.length)]
      const charge = (requestId: string, amount: number) => ({
        requestId,
        accountId,
        credits: amount,
        endpoint: 'GET /probe',
        priceInput: null,
      })
      const days = (n: number) => new Date(Date.now() + n * DAY_MS)

      /** Runs a step on the database and returns its result. */
      async function play(one: Step): Promise<unknown> {
        switch (one.kind) {
          case 'charge': {
            const requestId = uuidV7(Date.now())
            const [result] = await api.meter.charge([charge(requestId, one.credits)])
            if (result!.paid) charges.push({ requestId, credits: one.credits })
            return result!.paid
          }
          case 'replay': {
            const earlier = at(charges, one.which)
            if (!earlier) return null
            return (await api.meter.charge([charge(earlier.requestId, earlier.credits)]))[0]!.paid
          }
          case 'refund': {
            const earlier = at(charges, one.which)
            if (!earlier) return null
            const { rows } = await meter.pool.query<{ done: boolean }>(
              'select refund_charge($1, $2) as done',
              [earlier.requestId, earlier.credits],
            )
            return rows[0]!.done
          }
          case 'topUp':
            // Half a day less, so that no top-up expires at the instant of a step.
            await topUp(api.owner, {
              id: uuidV7(Date.now()),
              accountId,
              credits: BigInt(one.credits),
              expiresAt: days(one.days - 0.5),
            })
            return null
          case 'pass':
            await passTime(database.ownerUrl, { accountId, ms: one.days * DAY_MS })
            return null
        }
      }

      for (const one of steps) {
        const said = await play(one)
        const state = (await api.meter.admit(new Map([[accountId, 1]]))).get(accountId)!
        // Periods follow the calendar, which the model does not know, so it gets the period number.
        const n = (await booksOf(database.ownerUrl, accountId)).at(-1)!.n
        const expected = model.step(one, n)
        expect({ one, said, granted: state.balance.granted, available: state.balance.available }).toEqual({
          one,
          said: expected.said,
          granted: expected.granted,
          available: expected.available,
        })
      }
      for (const { posted, ledger, granted } of await booksOf(database.ownerUrl, accountId)) {
        expect(posted).toBe(ledger)
        expect(Number(posted)).toBeLessThanOrEqual(Number(granted))
      }
    }),
    { numRuns: runs({ short: 8, long: 1_000 }) },
  )
  await meter.close()
})
