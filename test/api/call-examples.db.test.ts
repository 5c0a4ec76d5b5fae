import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { curl, typescript } from '../../api/docs/call-examples.ts'
import { docsOperations } from '../../api/docs/docs-operations.ts'
import { openApiDocument } from '../../api/openapi.ts'
import { recordedCall } from '../../api/recorded-calls.ts'
import { routes } from '../../api/routes.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'

// The examples of the reference run as they stand there; test/oracles/python-package.oracle.test.ts runs those in Python.

const database = await testDatabase()
const api = await startApi({ database, routes })
const { key } = await api.newAccount({ plan: 'pro' })
const operations = docsOperations(openApiDocument(routes))
const folder = mkdtempSync(join(tmpdir(), 'sluice-examples-'))
afterAll(() => rmSync(folder, { recursive: true }))
beforeAll(() =>
  insertCoin(api.owner, { id: 'bitcoin', symbol: 'btc', name: 'Bitcoin', priceUsd: '50000', at: new Date() }),
)

const client = JSON.stringify(join(import.meta.dirname, '../../clients/typescript/index.ts'))
const env = { ...process.env, API: `http://127.0.0.1:${api.port}/v1`, KEY: key }

function run(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let [out, err] = ['', '']
    child.stdout.on('data', (part) => (out += part))
    child.stderr.on('data', (part) => (err += part))
    child.on('close', (code) => (code === 0 ? resolve(out) : reject(new Error(err))))
  })
}

/** Prints the answer as JSON instead of in the language's own way. */
const PROGRAMS: Record<string, (text: string) => Promise<string>> = {
  curl: (text) => run('bash', ['-c', text]),
  TypeScript(text) {
    const file = join(folder, `${Math.random()}.ts`)
    const printed = text.replace('console.log(data)', 'console.log(JSON.stringify(data))')
    writeFileSync(file, printed.replace("'sluice-client'", client))
    return run(process.execPath, [file])
  },
}
const LANGUAGES = { curl, TypeScript: typescript }

test.each(['getCoin', 'getCoins', 'postAlerts', 'getStatus'])(
  '%s gives the same answer by curl and in TypeScript',
  async (id) => {
    const of = operations.find(({ operation }) => operation.operationId === id)!
    const answers: object[] = []
    for (const [name, print] of Object.entries(LANGUAGES)) {
      const text = await PROGRAMS[name]!(print(of, recordedCall(id)!))
      const { id: own, createdAt: _, timestamp: __, ...rest } = JSON.parse(text)
      answers.push({ ...rest, ...(id === 'getCoin' && { id: own }) })
    }
    const [first] = answers
    expect(Object.keys(first!).length).toBeGreaterThan(1)
    expect(answers).toEqual([first, first])
    if (id === 'getCoin') expect(first).toMatchObject({ id: 'bitcoin', price: 50_000 })
  },
)
