import { expect, test } from 'vitest'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { startPredictionWorld } from './prediction-world.ts'

const database = await testDatabase()
const { loadVenue, activities } = await startPredictionWorld(database)

const events = () =>
  query<{ start_at: Date | null; fetched_at: Date }>(
    database.ownerUrl,
    `select * from prediction_events e where exists (select from prediction_markets m where m.event_id = e.id) order by id`,
  )

// Kalshi dates markets only, not events.
test('an event gets the dates of its markets at once, and unchanged rows are not written again', async () => {
  await loadVenue('kalshi')
  const first = await events()
  expect(first.length).toBeGreaterThan(10)
  expect(first.filter(({ start_at: startAt }) => startAt === null)).toEqual([])
  await activities.summarisePrediction()
  const summed = await events()
  await loadVenue('kalshi')
  expect(await events()).toEqual(summed)
})
