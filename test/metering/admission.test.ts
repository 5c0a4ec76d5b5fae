import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createAdmission } from '../../api/metering/admission.ts'
import { creditsRefusal, rateHeaders } from '../../api/metering/headers.ts'
import { creditsSpent, insufficientCredits } from '../../api/errors.ts'
import type { Admission, Meter } from '../../db/metering/meter.ts'

// Requests of accounts that share one statement, and accounts that are refused in memory.

const balance = { granted: 100, available: 40, periodEndsInS: 9 }
const stateOf = (accountId: string, allowed: number): Admission => ({
  accountId,
  plan: 'pro',
  paid: true,
  requestsPerSecond: 10,
  allowed,
  requestsLeft: 4,
  fullInS: 3,
  nextInMs: 500,
  balance,
})

/** A database that allows each account so many of the requests of one statement. */
function world(allowed: Readonly<Record<string, number>>) {
  const asked: Record<string, number>[] = []
  const clock = { ms: 1_000 }
  const meter = {
    async admit(counts: ReadonlyMap<string, number>) {
      asked.push(Object.fromEntries(counts))
      await setTimeout(1)
      return new Map(
        [...counts.keys()].flatMap((id) => (id in allowed ? [[id, stateOf(id, allowed[id]!)] as const] : [])),
      )
    },
  }
  const admit = createAdmission({ meter: meter as unknown as Meter, monotonicMs: () => clock.ms })
  return { admit, asked, clock }
}

test('of the requests of an account as many pass as are allowed, each with what is left after it', async () => {
  const { admit, asked } = world({ ann: 2, bob: 5 })
  const all = await Promise.all(['ann', 'bob', 'ann', 'ann', 'bob'].map((id) => admit(id)))
  expect(asked).toEqual([{ ann: 3, bob: 2 }])
  expect(all.map(({ accountId, passes, requestsLeft }) => [accountId, passes, requestsLeft])).toEqual([
    ['ann', true, 5],
    ['bob', true, 8],
    ['ann', true, 4],
    ['ann', false, 0],
    ['bob', true, 7],
  ])
})

test('a refused account is refused without a statement until its next request can pass, and others are not', async () => {
  const { admit, asked, clock } = world({ ann: 0, bob: 1 })
  expect((await admit('ann')).passes).toBe(false)
  expect(await admit('ann')).toMatchObject({ passes: false, requestsLeft: 0, nextInMs: 500 })
  clock.ms += 499
  expect(await admit('ann')).toMatchObject({ passes: false, nextInMs: 1 })
  // All its requests passed, so it is asked about each time.
  expect([(await admit('bob')).passes, (await admit('bob')).passes]).toEqual([true, true])
  expect(asked).toEqual([{ ann: 1 }, { bob: 1 }, { bob: 1 }])
  clock.ms += 1
  await admit('ann')
  expect(asked).toHaveLength(4)
})

test('a request of an account that is gone fails', async () => {
  await expect(world({ ann: 1 }).admit('gone')).rejects.toThrow('does not exist')
})

test('a request that passes names when the whole burst is there, a refused one when to ask again', () => {
  const of = (passes: boolean, nextInMs: number) =>
    rateHeaders({ ...stateOf('ann', 1), passes, nextInMs })['ratelimit']
  expect(of(true, 9_000)).toBe('"rps";r=4;t=3')
  expect([of(false, 1), of(false, 1_001)]).toEqual(['"rps";r=4;t=1', '"rps";r=4;t=2'])
})

test.each([
  [0, 100, creditsSpent()],
  [-1, 1, creditsSpent()],
  [0, 101, insufficientCredits()],
  [1, 2, insufficientCredits()],
])('with %i of 100 credits left, a call for %i is refused with its reason', (available, cost, refusal) => {
  expect(creditsRefusal({ cost, balance: { ...balance, available } }).message).toBe(refusal.message)
})
