import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { createAccount, createKey } from '../../db/metering/write.ts'
import { BARE_ENVIRONMENT } from '../setup/bare-environment.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

const database = await testDatabase()
const MAIN = join(import.meta.dirname, '../../api/main.ts')
const children: ChildProcess[] = []
afterAll(() => children.forEach((child) => child.kill('SIGKILL')))

function start(env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, [MAIN], { env: { ...BARE_ENVIRONMENT, ...env } })
  children.push(child)
  return child
}

async function startServing(): Promise<{ child: ChildProcess; url: string }> {
  const child = start({
    API_PORT: '0',
    API_DATABASE_URL: database.apiUrl,
    METER_DATABASE_URL: database.meterUrl,
    INSTALLATION_ID: 'this one',
  })
  for await (const line of createInterface({ input: child.stdout! })) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0]
    if (url) return { child, url }
  }
  throw new Error('the API exited before it listened')
}

test('the process names missing settings and exits', async () => {
  const child = start({ API_DATABASE_URL: database.apiUrl })
  let said = ''
  child.stderr!.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const [code] = (await once(child, 'exit')) as [number]
  expect(code).toBe(1)
  expect(said).toContain('METER_DATABASE_URL is not set')
})

test('responses name the configured installation', async () => {
  const { child, url } = await startServing()
  const { headers } = await fetch(`${url}/v1/status`)
  expect(headers.get('x-installation-id')).toBe('this one')
  child.kill('SIGTERM')
})

async function newClient(): Promise<{ accountId: string; key: string }> {
  const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
  const limits = { requestsPerSecond: 100_000 }
  const { accountId } = await createAccount(owner.db, { name: 'test', plan: 'pro', ...limits })
  const { key } = await createKey(owner.db, { accountId, name: 'test' })
  await owner.close()
  return { accountId, key }
}

test('Y15 SIGTERM under load: requests in flight are answered, every answer is charged, the process exits', async () => {
  const { accountId, key } = await newClient()
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
      // A truncated body throws here.
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
  expect(await books(accountId)).toEqual({ entries: answered, posted: String(answered) })
})

const books = async (accountId: string) =>
  (
    await query<{ entries: number; posted: string }>(
      database.ownerUrl,
      `select count(*)::integer as entries,
         (select sum(posted) from credit_periods where account_id = $1) as posted
       from ledger_entries where account_id = $1`,
      [accountId],
    )
  )[0]!

test('C1 kill -9 of the API under load: all answers are charged, and at most the requests in flight besides', async () => {
  const { accountId, key } = await newClient()
  const { child, url } = await startServing()
  let answered = 0
  const clients = Array.from({ length: 16 }, async () => {
    const ask = async () => {
      const response = await fetch(`${url}/v1/currencies`, { headers: { 'x-api-key': key } })
      expect(response.status).toBe(200)
      await response.json()
    }
    for (;;) {
      const error = await ask().then(
        () => null,
        (failure: Error) => failure,
      )
      // The client does not know the outcome of requests that the kill cut off.
      if (error instanceof TypeError) return
      if (error) throw error
      answered++
    }
  })
  while (answered < 150) await setTimeout(3)
  child.kill('SIGKILL')
  await Promise.all(clients)
  const { entries, posted } = await books(accountId)
  expect(posted).toBe(String(entries))
  expect(entries).toBeGreaterThanOrEqual(answered)
  expect(entries).toBeLessThanOrEqual(answered + 16)
})
