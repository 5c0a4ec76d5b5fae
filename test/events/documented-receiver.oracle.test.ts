import { join } from 'node:path'
import { test } from 'vitest'
import { installPythonTool } from '../oracles/install-python-tool.ts'
import { testDatabase } from '../setup/database.ts'
import { documentedReceiver } from './documented-programs.ts'
import { expectReceives } from './receives-events.ts'

const database = await testDatabase()
const programs = await installPythonTool({
  name: 'standardwebhooks-1.1.0',
  requirements: ['standardwebhooks==1.1.0'],
  program: 'httpx',
})
const receiver = await documentedReceiver({ kind: 'python', program: join(programs, 'python3') })

test('44 the Python receiver of docs/webhooks.md accepts events and refuses forged and old ones', () =>
  expectReceives(database, receiver))
