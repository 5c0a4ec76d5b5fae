import { expect, test } from 'vitest'
import { askSource } from '../../activities/ask-source.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { startSandboxWorld } from '../setup/sandbox-world.ts'

const database = await testDatabase()
const { deps } = await startSandboxWorld(database)

test.each(['goplus', 'rugcheck'])(
  'one small request shows whether %s answers, and goes to no other source',
  async (source) => {
    await query(database.ownerUrl, 'truncate source_hours')
    expect(await askSource(source, deps)).toBe(true)
    const asked = await query(database.ownerUrl, 'select source, requests::int from source_hours')
    expect(asked).toEqual([{ source, requests: 1 }])
  },
)
