import { randomBytes } from 'node:crypto'
import { getAddress, type Hex, toHex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../cli/supervisor/free-port.ts'
import { type Running, startService } from '../../cli/supervisor/service.ts'
import { facilitatorService } from '../../cli/supervisor/services.ts'
import { operator, type Address } from '../../sandbox/chain/actors.ts'
import { call, codeOf } from '../../sandbox/chain/calls.ts'
import { mintUsdc } from '../../sandbox/chain/place-usdc.ts'
import { BARE_ENVIRONMENT } from '../setup/bare-environment.ts'
import { startFacilitator, type TestFacilitator, USDC } from '../setup/facilitator.ts'
import { signPayment } from '../setup/sign-payment.ts'

const payTo: Address = '0x9a7d000000000000000000000000000000000002'
const requirement = {
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '1000',
  asset: getAddress(USDC),
  payTo,
  maxTimeoutSeconds: 60,
  extra: { name: 'USD Coin', version: '2' },
}
let facilitator: TestFacilitator
let payer: PrivateKeyAccount

beforeAll(async () => {
  facilitator = await startFacilitator()
  payer = await facilitator.newPayer()
})
afterAll(() => facilitator?.stop())

async function post(
  path: string,
  body: unknown,
  url = facilitator.url,
): Promise<{ status: number; body: any }> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: text })
  return { status: response.status, body: await response.json() }
}

type Payload = Awaited<ReturnType<typeof signPayment>>
const sign = (given: Partial<Payload['authorization']> = {}) =>
  signPayment(payer, { to: payTo, value: '1000', ...given })
const v2 = (payload: Payload) => ({
  x402Version: 2,
  paymentPayload: { x402Version: 2, accepted: requirement, payload },
  paymentRequirements: requirement,
})

test('/supported lists the payment kinds and the wallet that settles', async () => {
  const supported = (await (await fetch(`${facilitator.url}/supported`)).json()) as any
  expect(supported).toEqual({
    kinds: [
      { x402Version: 2, scheme: 'exact', network: 'eip155:8453' },
      { x402Version: 1, scheme: 'exact', network: 'base' },
    ],
    extensions: [],
    signers: { 'eip155:*': [expect.stringMatching(/^0x[0-9a-fA-F]{40}$/)] },
  })
})

test('a payment of version 2 is verified and settled on the chain once', async () => {
  const before = await facilitator.usdcOf(payTo)
  const payment = v2(await sign())
  expect(await post('/verify', payment)).toEqual({
    status: 200,
    body: { isValid: true, payer: payer.address },
  })
  const settled = await post('/settle', payment)
  const transaction = settled.body.transaction as Hex
  expect(settled.body).toEqual({
    success: true,
    transaction,
    network: 'eip155:8453',
    payer: payer.address,
  })
  expect(await facilitator.usdcOf(payTo)).toBe(before + 1_000n)
  const receipt = await facilitator.anvil.call('eth_getTransactionReceipt', transaction)
  expect(receipt).toMatchObject({ status: '0x1', to: USDC })
  expect((await post('/settle', payment)).body).toMatchObject({
    success: false,
    errorReason: 'invalid_exact_evm_nonce_already_used',
    transaction: '',
  })
  expect((await post('/verify', payment)).body).toMatchObject({ isValid: false })
  expect(await facilitator.usdcOf(payTo)).toBe(before + 1_000n)
})

test('a payment of version 1 is verified and settled', async () => {
  const { amount, network: _, ...shared } = requirement
  const paymentRequirements = {
    ...shared,
    network: 'base',
    maxAmountRequired: amount,
    resource: 'http://127.0.0.1/coins',
    description: '',
    mimeType: 'application/json',
  }
  const nowS = Math.floor(Date.now() / 1_000)
  const payload = await sign({ validAfter: String(nowS - 600) })
  const paymentPayload = { x402Version: 1, scheme: 'exact', network: 'base', payload }
  const payment = { x402Version: 1, paymentPayload, paymentRequirements }
  expect((await post('/verify', payment)).body).toMatchObject({ isValid: true })
  expect((await post('/settle', payment)).body).toMatchObject({ success: true, network: 'base' })
})

test('60 parallel payments all settle, each in its own transaction', async () => {
  const payments = await Promise.all(Array.from({ length: 60 }, async () => v2(await sign())))
  const settled = await Promise.all(payments.map((payment) => post('/settle', payment)))
  expect(settled.filter(({ body }) => body.success !== true)).toEqual([])
  expect(new Set(settled.map(({ body }) => body.transaction)).size).toBe(60)
})

test('10 parallel settlements of one payment settle it once', async () => {
  const before = await facilitator.usdcOf(payTo)
  const payment = v2(await sign())
  const settled = await Promise.all(Array.from({ length: 10 }, () => post('/settle', payment)))
  expect(settled.filter(({ body }) => body.success).length).toBe(1)
  expect(await facilitator.usdcOf(payTo)).toBe(before + 1_000n)
  expect((await post('/settle', v2(await sign()))).body.success).toBe(true)
})

test.each([
  ['with another amount', { value: '999' }, 'invalid_exact_evm_payload_authorization_value_mismatch'],
  ['to another payee', { to: operator }, 'invalid_exact_evm_recipient_mismatch'],
  ['that has expired', { validBefore: '1700000000' }, 'invalid_exact_evm_payload_authorization_valid_before'],
  [
    'that is not valid yet',
    { validAfter: '4000000000' },
    'invalid_exact_evm_payload_authorization_valid_after',
  ],
])('a payment %s is refused', async (_, change, reason) => {
  const payment = v2(await sign(change))
  expect((await post('/verify', payment)).body).toMatchObject({ isValid: false, invalidReason: reason })
  expect((await post('/settle', payment)).body).toMatchObject({
    success: false,
    errorReason: reason,
    transaction: '',
  })
})

test('a payer without money is refused with invalid_exact_evm_insufficient_balance', async () => {
  const poor = await facilitator.newPayer({ usdc: 0 })
  const payment = v2(await signPayment(poor, { to: payTo, value: '1000' }))
  expect((await post('/verify', payment)).body).toMatchObject({
    isValid: false,
    invalidReason: 'invalid_exact_evm_insufficient_balance',
  })
})

test('a contract wallet can pay', async () => {
  const wallet = toHex(randomBytes(20)) as Address
  await facilitator.rpc.call('anvil_setCode', wallet, codeOf('ContractWallet'))
  const data = call('ContractWallet', 'init', [payer.address])
  await facilitator.rpc.call('eth_sendTransaction', { from: operator, to: wallet, data })
  await mintUsdc(facilitator.rpc, { to: wallet, units: 1_000n })
  const payment = v2(await sign({ from: wallet }))
  expect((await post('/verify', payment)).body).toMatchObject({ isValid: true })
  expect((await post('/settle', payment)).body).toMatchObject({ success: true, payer: wallet })
})

test.each([
  ['invalid JSON', '{', 400],
  ['JSON without a payment', '{}', 400],
  ['a body larger than any payment', JSON.stringify({ x: 'x'.repeat(70_000) }), 400],
])('%s is refused', async (_, body, status) => {
  expect(await post('/verify', body)).toMatchObject({ status, body: { isValid: false } })
  expect(await post('/settle', body)).toMatchObject({ status, body: { success: false, transaction: '' } })
})

test('another network, path or method gets an error', async () => {
  const other = { ...requirement, network: 'eip155:84532' }
  const payment = { ...v2(await sign()), paymentRequirements: other }
  expect(await post('/verify', payment)).toMatchObject({
    status: 500,
    body: { invalidReason: 'unexpected_verify_error' },
  })
  expect((await post('/else', {})).status).toBe(404)
  expect((await fetch(`${facilitator.url}/settle`)).status).toBe(405)
})

test('payments continue after a node lost its mining mode and its last blocks', async () => {
  const { anvil } = facilitator
  const last = v2(await sign())
  expect((await post('/settle', last)).body.success).toBe(true)
  await anvil.call('anvil_rollback', 2)
  await anvil.call('evm_setAutomine', false)
  // The facilitator checks the node at most every 500 ms.
  await new Promise((resolve) => setTimeout(resolve, 600))
  expect((await post('/settle', v2(await sign()))).body.success).toBe(true)
  expect((await post('/settle', last)).body.success).toBe(true)
})

describe('as npm start runs it', () => {
  const testPayer = privateKeyToAccount(generatePrivateKey()).address
  const lines: string[] = []
  let running: Running
  let url: string
  let start: () => Promise<void>

  beforeAll(async () => {
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    const env = { ...BARE_ENVIRONMENT, RPC_URL_BASE_WALLET: facilitator.rpcUrl }
    const spec = facilitatorService({ port, key: generatePrivateKey(), payer: testPayer, env })
    start = async () => {
      running = startService(spec, {
        onLine: (line) => lines.push(line),
        onSpawn: () => {},
        onExit: () => {},
      })
      await running.ready
    }
    await start()
  })
  afterAll(() => running?.stop())

  test('its log says that payments settle on a test chain', async () => {
    // The line comes through a pipe, which may be slower than the first answer.
    await expect.poll(() => lines.join('\n')).toContain('TEST CHAIN')
  })

  test('the test payer has USDC', async () => {
    expect(await facilitator.usdcOf(testPayer)).toBe(10_000_000_000n)
  })

  test('a killed facilitator restarts and settles with the same wallet', async () => {
    const wallet = async () =>
      ((await (await fetch(`${url}/supported`)).json()) as { signers: unknown }).signers
    const before = await wallet()
    const payment = v2(await sign())
    process.kill(running.pid, 'SIGKILL')
    await running.ended
    await expect(post('/settle', payment, url)).rejects.toThrow()
    await start()
    expect((await post('/settle', payment, url)).body.success).toBe(true)
    expect(await wallet()).toEqual(before)
  })
})
