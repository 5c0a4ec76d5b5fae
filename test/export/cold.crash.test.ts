import { test } from 'vitest'
import { testDatabase } from '../setup/database.ts'
import { coldWorld, movesAndRestores } from './cold-world.ts'

// A million old rows, as in test/export/cold.db.test.ts. COLD_ROWS: another number

const database = await testDatabase()
const world = await coldWorld(database)

test('a million old rows move, are exported, read and restored, with a kill after every step; nothing is lost', async () => {
  const old = Number(process.env['COLD_ROWS'] ?? 1_000_000)
  await world.insert(old)
  await movesAndRestores(world, { old, exportsAfter: () => true })
}, 3_600_000)
