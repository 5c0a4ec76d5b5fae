import { test } from 'vitest'
import { testDatabase } from '../setup/database.ts'
import { documentedReceiver } from './documented-programs.ts'
import { expectReceives } from './receives-events.ts'

const database = await testDatabase()
const receiver = await documentedReceiver({ kind: 'ts', program: process.execPath })

test('44 the TypeScript receiver of docs/webhooks.md accepts events and refuses forged and old ones', () =>
  expectReceives(database, receiver))
