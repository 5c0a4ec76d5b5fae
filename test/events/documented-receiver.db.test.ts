import { test } from 'vitest'
import { testDatabase } from '../setup/database.ts'
import { documentedReceiver } from './documented-receivers.ts'
import { expectReceives } from './receives-events.ts'

const database = await testDatabase()
const receiver = await documentedReceiver('ts', process.execPath)

test('44 the TypeScript receiver of docs/webhooks.md accepts events and refuses forged and old ones', () =>
  expectReceives(database, receiver))
