import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { testDatabase } from '../setup/database.ts'
import { startFacilitator } from '../setup/facilitator.ts'
import { PAY_TO } from '../setup/gateway.ts'
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
  ...{ GATEWAY_PORT: '0', API_DATABASE_URL: database.apiUrl, GATEWAY_DATABASE_URL: database.gatewayUrl },
  ...{ X402_PUBLIC_URL: 'http://127.0.0.1:8402', X402_PAY_TO: PAY_TO },
  ...{ X402_FACILITATOR_URL: facilitator.url, X402_RPC_URL: facilitator.rpcUrl },
  X402_COOKIE_SECRETS: 'a:a secret of the tests that is long enough',
}

function start(settings: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, [MAIN], { env: { PATH: process.env['PATH'] ?? '', ...settings } })
  children.push(child)
  return child
}

test('missing settings are named, and the process ends', async () => {
  const { X402_PAY_TO: _, ...others } = env
  const child = start(others)
  let said = ''
  child.stderr!.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const [code] = (await once(child, 'exit')) as [number]
  expect([code, said]).toEqual([1, expect.stringContaining('Set these variables: X402_PAY_TO')])
})

test('the process sells a call, and ends once what is in flight is answered', async () => {
  const child = start(env)
  const lines: string[] = []
  let url = ''
  for await (const line of createInterface({ input: child.stdout! })) {
    lines.push(line)
    url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0] ?? ''
    if (url) break
  }
  const unpaid = await fetch(`${url}/coins`)
  const challenge = decode(unpaid.headers.get('payment-required')) as Challenge
  expect([unpaid.status, challenge.accepts[0]!.payTo]).toEqual([402, PAY_TO])
  expect((await fetch(`${url}/openapi.json`)).status).toBe(200)
  const payload = await signTransfer({ challenge, payer: await facilitator.newPayer() })
  const headers = { 'x-payment': encode(paymentV2(challenge, payload)) }
  const paid = fetch(`${url}/coins`, { headers })
  // It has arrived.
  while ((await facilitator.usdcOf(PAY_TO)) === 0n) await sleep(5)
  const ended = once(child, 'exit') as Promise<[number]>
  child.kill('SIGTERM')
  const response = await paid
  expect(response.status).toBe(200)
  expect(response.headers.get('set-cookie')).not.toContain('Secure')
  expect((await ended)[0]).toBe(0)
  expect(lines.join()).not.toContain('X402_RPC_URL is not set')
})
