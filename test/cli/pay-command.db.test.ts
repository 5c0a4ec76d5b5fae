import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request as forward, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { payCall } from '../../cli/pay-call.ts'
import { createSecrets, type Secrets } from '../../cli/secrets.ts'
import { markOf } from '../../cli/supervisor/process-mark.ts'
import { removeRun, writeRun } from '../../cli/supervisor/run-file.ts'
import { testPayer } from '../../cli/test-payer.ts'
import { mintUsdc } from '../../sandbox/chain/place-usdc.ts'
import { testDatabase } from '../setup/database.ts'
import { startFacilitator } from '../setup/facilitator.ts'
import { startGateway } from '../setup/gateway.ts'
import { query } from '../setup/query.ts'
import { sluiceHere } from './sluice-here.ts'

// The command with a home whose running gateway is the one of this test.

const database = await testDatabase()
const facilitator = await startFacilitator()
const gateway = await startGateway({
  database,
  routes,
  facilitatorUrl: facilitator.url,
  rpcUrl: facilitator.rpcUrl,
})
const home = mkdtempSync(join(tmpdir(), 'sluice-pay-'))
const sluice = sluiceHere({ SLUICE_HOME: home })
const pay = (...args: string[]) => sluice('pay', ...args)
let secrets: Secrets

beforeAll(async () => {
  secrets = createSecrets(home)
  await mintUsdc(facilitator.rpc, { to: testPayer(secrets).address, units: 10_000n })
  await query(
    database.ownerUrl,
    `insert into fx_rates (currency, at, per_usd, source, fetched_at) values ('EUR', date_trunc('day', now(), 'UTC'), 0.8, 'test', now())`,
  )
})
beforeEach(() => running({ gateway: gateway.port, facilitator: 1 }))
afterAll(async () => {
  rmSync(home, { recursive: true })
  await facilitator.stop()
})

function running(ports: Record<string, number>): void {
  const supervisor = markOf(process.pid)!
  writeRun(home, { supervisor, children: {}, ports, temporalAddress: '127.0.0.1:1', sources: 'sandbox' })
}

test('pays for a call and prints data, receipt and transaction, but no key', async () => {
  const { address } = testPayer(secrets)
  const before = await facilitator.usdcOf(address)
  const { status, stdout, stderr } = await pay('/fiats')
  // A busy machine may make it ask again, which it says.
  const unexpected = stderr.replaceAll(/^sluice: the gateway answered 503, .*\n/gm, '')
  expect([status, unexpected]).toEqual([0, ''])
  expect(stdout).toContain('"name": "EUR"')
  expect(stdout).toContain(`Paid         0.001 USDC in test money by ${address.toLowerCase()}`)
  const [, transaction] = /^Transaction {2}(0x[0-9a-f]{64}) on eip155:8453$/m.exec(stdout)!
  expect(stdout).toMatch(new RegExp(`^Receipt {6}\\{.*"transaction":"${transaction}"`, 'm'))
  expect(await facilitator.anvil.call('eth_getTransactionReceipt', transaction)).toMatchObject({
    status: '0x1',
  })
  expect(before - (await facilitator.usdcOf(address))).toBe(1_000n)
  expect(stdout).not.toContain(secrets.payerKey.slice(2))
})

test('--json prints one object', async () => {
  const { status, stdout } = await pay('/fiats', '--json')
  expect(status).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    status: 200,
    units: '1000',
    refused: null,
    receipt: { success: true },
    data: [{ name: 'USD' }, { name: 'EUR' }],
  })
})

test('sends the same payment again when the gateway asks for that, and pays once', async () => {
  const { address } = testPayer(secrets)
  const before = await facilitator.usdcOf(address)
  const asked = gateway.asked.verify
  await facilitator.end()
  const paying = pay('/fiats')
  await expect.poll(() => gateway.asked.verify, { timeout: 60_000 }).toBe(asked + 1)
  await facilitator.start()
  const { status, stdout, stderr } = await paying
  expect(status, stderr).toBe(0)
  expect(stderr).toContain('the gateway answered 503, the same call is sent again in 5 s')
  expect(stdout).toContain('Paid         0.001 USDC')
  expect(before - (await facilitator.usdcOf(address))).toBe(1_000n)
})

test('a lost answer to a payment: sends the same payment again, and pays once', async () => {
  const { address } = testPayer(secrets)
  const before = await facilitator.usdcOf(address)
  running({ gateway: await losingAnswers(1), facilitator: 1 })
  const { status, stdout, stderr } = await pay('/fiats')
  expect(status, stderr).toBe(0)
  expect(stderr).toContain('the gateway did not answer, the same call is sent again in 1 s')
  expect(stdout).toContain('Paid         0.001 USDC')
  expect(before - (await facilitator.usdcOf(address))).toBe(1_000n)
})

test('no answer to a payment, ever: the error says that it may have been taken', async () => {
  const url = `http://127.0.0.1:${await losingAnswers(Infinity)}/fiats`
  const paying = payCall({ url, headers: {}, account: testPayer(secrets), send: fetch })
  await expect(paying).rejects.toThrow('0.001 USDC were sent and no answer came, so they may have been taken')
})

/** Starts a proxy of the gateway that loses the answers to the first paid calls. Returns its port. */
async function losingAnswers(count: number): Promise<number> {
  let left = count
  const server: Server = createServer((request, response) => {
    const { method, url, headers } = request
    const asked = forward({ port: gateway.port, method, path: url, headers }, (answer) => {
      const isLost = 'payment-signature' in headers && left-- > 0
      if (!isLost) return answer.pipe(response.writeHead(answer.statusCode!, answer.headers))
      return answer.resume().on('end', () => response.destroy())
    })
    request.pipe(asked)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => server.close().closeAllConnections())
  return (server.address() as AddressInfo).port
}

test.each([
  ['an endpoint that is not sold', ['/usage/credits'], 'the gateway answered 404'],
  ['a wrong parameter', ['/coins?limit=none'], 'the gateway answered 400'],
  [
    'a price above the balance of the wallet',
    ['/wallet/defi?address=0x1111111111111111111111111111111111111111&connectionId=all'],
    'insufficient',
  ],
])('%s: prints an error and pays nothing', async (_, args, message) => {
  const { address } = testPayer(secrets)
  const before = await facilitator.usdcOf(address)
  const { status, stderr } = await pay(...args)
  expect(status).toBe(1)
  expect(stderr).toContain(message)
  expect(await facilitator.usdcOf(address)).toBe(before)
})

test('without an installation, an own facilitator or a gateway it says what to do', async () => {
  expect((await pay()).stderr).toContain('sluice pay PATH')
  running({ gateway: gateway.port })
  expect((await pay('/fiats')).stderr).toContain('the test wallet has money on the sandbox chain only')
  running({ gateway: 1, facilitator: 1 })
  expect((await pay('/fiats')).stderr).toMatch(
    /nothing was paid at http:\/\/127\.0\.0\.1:1: it does not answer/,
  )
  removeRun(home)
  expect(await pay('/fiats')).toMatchObject({ status: 1, stderr: expect.stringContaining('npm start') })
})
