import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { createAccount, createKey } from '../../db/metering/write.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

const database = await testDatabase()
const MAIN = join(import.meta.dirname, '../../api/main.ts')
const children: ChildProcess[] = []
afterAll(() => children.forEach((child) => child.kill('SIGKILL')))

function start(env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, [MAIN], { env: { PATH: process.env.PATH ?? '', ...env } })
  children.push(child)
  return child
}

async function startServing(): Promise<{ child: ChildProcess; url: string }> {
  const child = start({
    API_PORT: '0',
    API_DATABASE_URL: database.apiUrl,
    METER_DATABASE_URL: database.meterUrl,
  })
  for await (const line of createInterface({ input: child.stdout! })) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0]
    if (url) return { child, url }
  }
  throw new Error('the API ended before it listened')
}

test('missing settings are named, and the process ends', async () => {
  const child = start({ API_DATABASE_URL: database.apiUrl })
  let said = ''
  child.stderr!.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const [code] = (await once(child, 'exit')) as [number]
  expect(code).toBe(1)
  expect(said).toContain('Set these variables: METER_DATABASE_URL')
})

test('Y15 SIGTERM under load: what is in flight is answered, every answer is charged, the process ends', async () => {
  const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
  const { accountId } = await createAccount(owner.db, {
    name: 'test',
    plan: 'pro',
    requestsPerSecond: 100_000,
  })
  const { key } = await createKey(owner.db, { accountId, name: 'test' })
  await owner.close()
  const { child, url } = await startServing()

  let answered = 0
  let refused = 0
  const clients = Array.from({ length: 16 }, async () => {
    for (;;) {
      const response = await fetch(`${url}/v1/currencies`, { headers: { 'x-api-key': key } }).catch(
        () => null,
      )
      if (response === null) return refused++
      expect(response.status).toBe(200)
      // A body that breaks off throws here.
      expect(await response.json()).toEqual({ result: { USD: 1 }, as_of: {} })
      answered++
    }
  })
  while (answered < 50) await setTimeout(10)
  const startMs = Date.now()
  child.kill('SIGTERM')
  const [code] = (await once(child, 'exit')) as [number]
  expect(code).toBe(0)
  expect(Date.now() - startMs).toBeLessThan(10_000)
  await Promise.all(clients)
  expect(refused).toBe(16)
  const [books] = await query<{ entries: number; posted: string }>(
    database.ownerUrl,
    `select count(*)::integer as entries, (select sum(posted) from credit_periods) as posted from ledger_entries`,
  )
  expect(books).toEqual({ entries: answered, posted: String(answered) })
})
