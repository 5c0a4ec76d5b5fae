import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { testDatabase } from '../setup/database.ts'
import { type Answered, asOfWorld, step } from './as-of-world.ts'

// What was answered at an instant is answered again, whatever happened since then.

const database = await testDatabase()
const world = await asOfWorld(database)
afterAll(() => world.ingest.close())

test('through a random history of changes every answer stays the same, byte for byte', async () => {
  const seen = { bodies: new Set<string>(), statuses: new Set<number>(), compared: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 11, maxLength: 12 }), async (steps) => {
      const recorded: { at: Date; answers: Answered[] }[] = []
      for (const one of steps) {
        await world.apply(one)
        recorded.push(await world.record())
      }
      for (const { at, answers } of recorded) {
        expect(await Promise.all(answers.map((answer) => world.again(at, answer)))).toEqual(answers)
        for (const { text, status } of answers) {
          seen.bodies.add(text)
          seen.statuses.add(status)
          seen.compared++
        }
      }
    }),
    { numRuns: 2, endOnFailure: true },
  )
  // Answers that never change would be the same at any instant.
  expect(seen.bodies.size).toBeGreaterThan(seen.compared / 8)
  expect(seen.statuses).toContain(200)
}, 60_000)
