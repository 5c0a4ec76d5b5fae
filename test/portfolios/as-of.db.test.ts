import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { testDatabase } from '../setup/database.ts'
import { type Answered, asOfWorld, type Step, step, UNLISTED_COIN } from './as-of-world.ts'

// `asOf` returns the answer of an instant again, whatever changed since.

const database = await testDatabase()
const world = await asOfWorld(database)
afterAll(() => world.ingest.close())

/** Changes that always happen and are visible in some answer; without changes all instants would be equal. */
const SURE: readonly Step[] = [
  { kind: 'move', coin: 'ethereum', hoursAgo: 5, count: 4 },
  { kind: 'state', coin: 'bitcoin', hoursAgo: 50, count: 2, usd: 120 },
  { kind: 'correct', pick: 1, hoursAgo: 70, count: 5, usd: 130 },
  { kind: 'take back', pick: 1 },
  { kind: 'snapshot' },
  { kind: 'quote', coin: 'bitcoin', usd: 777 },
  { kind: 'position', raw: 3 },
  { kind: 'move', coin: UNLISTED_COIN, hoursAgo: 4, count: 2 },
  { kind: 'rename', coin: UNLISTED_COIN, usd: 9 },
]

test('after random changes `asOf` returns every earlier answer byte for byte', async () => {
  const seen = { bodies: new Set<string>(), statuses: new Set<number>() }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 9, maxLength: 10 }), async (steps) => {
      const recorded: { at: Date; answers: Answered[] }[] = []
      for (const one of [...SURE, ...steps]) {
        await world.apply(one)
        recorded.push(await world.record())
      }
      for (const { at, answers } of recorded) {
        expect(await Promise.all(answers.map((answer) => world.again(at, answer)))).toEqual(answers)
        for (const { text, status } of answers) {
          seen.bodies.add(text)
          seen.statuses.add(status)
        }
      }
    }),
    { numRuns: 2, endOnFailure: true },
  )
  expect(seen.bodies.size).toBeGreaterThan(12)
  expect(seen.statuses).toContain(200)
})
