import { afterAll, test } from 'vitest'
import { testDatabase } from '../setup/database.ts'
import { documentedProgram } from './documented-programs.ts'
import { startEventsWorld } from './events-world.ts'
import { expectEachEventOnce } from './program-over-breaks.ts'

// test/oracles/python-package.oracle.test.ts does the same with the Python program, which needs the built package.

const database = await testDatabase()
const world = await startEventsWorld(database)
afterAll(world.close)
const client = documentedProgram({ section: 'Stream', kind: 'ts', program: process.execPath })

test('the TypeScript program of docs/events.md gets every event once, also over connections that break before and after the first', () =>
  expectEachEventOnce({ world, client, n: 1 }))
