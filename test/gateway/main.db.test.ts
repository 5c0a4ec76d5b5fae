import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { BARE_ENVIRONMENT } from '../setup/bare-environment.ts'
import { testDatabase } from '../setup/database.ts'
import { startFacilitator } from '../setup/facilitator.ts'
import { PAY_TO } from '../setup/gateway.ts'
import { startProcess } from '../telemetry/start-process.ts'
import { exposedMetrics, SHOWN_BY, watchedMetrics } from '../telemetry/watched-metrics.ts'
import { type Challenge, decode, encode, paymentV2, signTransfer } from './pay.ts'

const database = await testDatabase()
const facilitator = await startFacilitator()
const MAIN = join(import.meta.dirname, '../../gateway/main.ts')
const children: ChildProcess[] = []
afterAll(async () => {
  children.forEach((child) => child.kill('SIGKILL'))
  await facilitator.stop()
})

const env = {
  GATEWAY_PORT: '0',
  API_DATABASE_URL: database.apiUrl,
  GATEWAY_DATABASE_URL: database.gatewayUrl,
  X402_PUBLIC_URL: 'http://127.0.0.1:8402',
  X402_PAY_TO: PAY_TO,
  X402_FACILITATOR_URL: facilitator.url,
  X402_RPC_URL: facilitator.rpcUrl,
  X402_COOKIE_SECRETS: 'a:a secret of the tests that is long enough',
}

function start(settings: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, [MAIN], { env: { ...BARE_ENVIRONMENT, ...settings } })
  children.push(child)
  return child
}

test('the process names missing settings and exits', async () => {
  const { X402_PAY_TO: _, ...others } = env
  const child = start(others)
  let said = ''
  child.stderr!.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const [code] = (await once(child, 'exit')) as [number]
  expect([code, said]).toEqual([1, expect.stringContaining('X402_PAY_TO is ')])
})

test('the process sells a call, and on shutdown finishes the request in flight', async () => {
  const gateway = await startProcess('gateway/main.ts', env)
  const { child, lines, url } = gateway
  children.push(child)
  await expect
    .poll(() => gateway.ask('/readyz'))
    .toEqual({ status: 200, text: '{"ready":true,"notReady":[]}' })
  const unpaid = await fetch(`${url}/coins`)
  const challenge = decode(unpaid.headers.get('payment-required')) as Challenge
  expect([unpaid.status, challenge.accepts[0]!.payTo]).toEqual([402, PAY_TO])
  expect((await fetch(`${url}/openapi.json`)).status).toBe(200)
  const payer = await facilitator.newPayer()
  const buy = async () => {
    const payload = await signTransfer({ challenge, payer })
    return fetch(`${url}/coins`, { headers: { 'x-payment': encode(paymentV2(challenge, payload)) } })
  }
  expect((await buy()).status).toBe(200)

  const { text } = await gateway.ask('/metrics')
  expect(text).toContain('sluice_gateway_payments_total{outcome="answered"} 1')
  expect(text).toContain('sluice_gateway_payments_total{outcome="refused"} 0')
  expect(text).toContain('sluice_gateway_open_payments{state="unknown"} 0')
  expect(text).toMatch(/^sluice_gateway_facilitator_seconds_count\{call="settle",outcome="success"\} 1$/m)
  expect(text).toContain('method="GET",route="/coins",status="402"')
  expect(text).not.toContain(payer.address.toLowerCase().slice(2))
  const watched = watchedMetrics().filter((name) => SHOWN_BY.gateway.test(name))
  expect(watched.length).toBeGreaterThan(4)
  expect(watched.filter((name) => !exposedMetrics(text).has(name))).toEqual([])

  const before = await facilitator.usdcOf(PAY_TO)
  const paid = buy()
  // Wait until the payment has arrived on the chain.
  while ((await facilitator.usdcOf(PAY_TO)) === before) await sleep(5)
  const ended = gateway.end()
  const response = await paid
  expect(response.status).toBe(200)
  expect(response.headers.get('set-cookie')).not.toContain('Secure')
  expect(await ended).toBe(0)
  for (const line of lines) expect(line).toMatchObject({ name: 'gateway', level: expect.any(Number) })
  expect(JSON.stringify(lines)).not.toContain('X402_RPC_URL is not set')
})
