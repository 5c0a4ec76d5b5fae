import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { routes } from '../../api/routes.ts'
import { demoApi } from '../../cli/first-run/demo-api.ts'
import { firstRun } from '../../cli/first-run/first-run.ts'
import { freePort } from '../../cli/supervisor/free-port.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase, throughPort } from '../setup/database.ts'

const database = await testDatabase()
const home = mkdtempSync(join(tmpdir(), 'sluice-first-run-'))
afterAll(() => rmSync(home, { recursive: true }))

const wallets = [{ address: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', label: 'Main' }]

/** Runs the first run with this API and database, and returns what it prints and logs. */
async function printedBy(given: { apiUrl: string; databaseUrl?: string; wallets?: typeof wallets }) {
  const printed: string[] = []
  const spy = vi.spyOn(console, 'log').mockImplementation((line = '') => void printed.push(String(line)))
  try {
    await firstRun({
      home,
      env: { DATABASE_URL: given.databaseUrl ?? database.ownerUrl },
      apiUrl: given.apiUrl,
      wallets: given.wallets ?? wallets,
      demoUser: null,
      gatewayUrl: null,
      patienceMs: 1_000,
      log: (line) => printed.push(line),
    })
  } finally {
    spy.mockRestore()
  }
  return printed.join('\n')
}

test('an API that is down during the first run only costs the demo', async () => {
  const printed = await printedBy({ apiUrl: `http://127.0.0.1:${await freePort()}/v1` })
  expect(printed).toMatch(/^warning: the wallet is not synced \(.*ECONNREFUSED.*\)\. Everything else runs;/m)
  expect(printed).toMatch(/^warning: the portfolios are not computed /m)
  expect(printed).toMatch(/^# answers now: nothing, .*ECONNREFUSED/m)
  expect(printed).toContain('*** SANDBOX')
})

test('an API that is down during a first run with live sources only costs the demo', async () => {
  const printed = await printedBy({ apiUrl: `http://127.0.0.1:${await freePort()}/v1`, wallets: [] })
  expect(printed).toMatch(/^# answers now: nothing, .*ECONNREFUSED/m)
})

test('a database that is down during the first run only costs the demo', async () => {
  const databaseUrl = throughPort(database.ownerUrl, await freePort())
  const printed = await printedBy({ apiUrl: 'http://127.0.0.1:9/v1', databaseUrl })
  expect(printed).toMatch(/^warning: the demo has no API key \(.*ECONNREFUSED.*\)\. Everything else runs;/m)
})

test('a step of the demo waits for an API that starts later', async () => {
  const port = await freePort()
  const send = demoApi({
    apiUrl: `http://127.0.0.1:${port}/v1`,
    key: 'none',
    deadlineMs: Date.now() + 60_000,
  })
  const asked = send('GET', '/status')
  await sleep(700)
  await startApi({ database, routes, port })
  expect(await asked).toMatchObject({ status: expect.any(String) })
})

test('a step of the demo repeats the same write after server errors, but not after a client error', async () => {
  const statuses = [500, 503, 429, 200, 401, 200]
  const keys: unknown[] = []
  const server = createServer((request, response) => {
    keys.push(request.headers['idempotency-key'])
    response.writeHead(statuses.shift()!).end('{"said":true}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const send = demoApi({ apiUrl: `http://127.0.0.1:${port}`, key: 'none', deadlineMs: Date.now() + 60_000 })
  expect(await send('POST', '/write', {})).toEqual({ said: true })
  expect(keys.length).toBe(4)
  expect(new Set(keys).size).toBe(1)
  await expect(send('POST', '/write', {})).rejects.toThrow('POST /write answers: 401 {"said":true}')
  expect(keys.length).toBe(5)
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})
