import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { testDatabase } from '../setup/database.ts'
import { type Answered, asOfWorld, type Step, step } from './as-of-world.ts'

// What was answered at an instant is answered again, whatever happened since then.

const database = await testDatabase()
const world = await asOfWorld(database)
afterAll(() => world.ingest.close())

/** Each of them is in some answer: what never changed would be the same at any instant. */
const SURE: readonly Step[] = [
  { kind: 'move', coin: 'ethereum', hoursAgo: 5, count: 4 },
  { kind: 'state', coin: 'bitcoin', hoursAgo: 50, count: 2, usd: 120 },
  { kind: 'snapshot' },
  { kind: 'quote', coin: 'bitcoin', usd: 777 },
  { kind: 'position', raw: 3 },
]

test('through a random history of changes every answer stays the same, byte for byte', async () => {
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
