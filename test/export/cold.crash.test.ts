import { afterAll, describe, test } from 'vitest'
import { startTemporaryPostgres } from '../../cli/postgres/temporary-postgres.ts'
import { crashDatabase } from '../crash/crash-database.ts'
import { type ColdStock, TRANSACTIONS, VOLUMES } from './cold-stocks.ts'
import { coldWorld, movesAndRestores } from './cold-world.ts'

// A million old transactions, as in test/export/cold-transactions.db.test.ts, and a few volumes, as in
// test/export/cold.db.test.ts. COLD_ROWS: another number

const MILLION = Number(process.env['COLD_ROWS'] ?? 1_000_000)
const postgres = await startTemporaryPostgres()
// Hooks run in reverse order: the worlds end before it.
afterAll(() => postgres.stop())
const worldOf = async (stock: ColdStock) => {
  const { database, close } = await crashDatabase(postgres, stock.table.dataset.name)
  await close()
  return coldWorld(database, stock)
}
const worlds = [
  { name: 'transactions', old: MILLION, world: await worldOf(TRANSACTIONS) },
  { name: 'volumes', old: 10_000, world: await worldOf(VOLUMES) },
]

describe('old rows move, are exported, read and restored, with a kill and an export after every step; nothing is lost', () => {
  test.each(worlds)(
    '$name',
    async ({ name, old, world }) => {
      await world.insert(old)
      const figures = await movesAndRestores(world, { old, exportsAfter: () => true })
      console.log(`cold: ${old} ${name}: ${JSON.stringify(figures)}`)
    },
    3_600_000,
  )
})
