import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/client'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { getAddress } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { mintUsdc } from '../../sandbox/chain/place-usdc.ts'
import { BARE_ENVIRONMENT } from '../setup/bare-environment.ts'
import { testDatabase } from '../setup/database.ts'
import { startFacilitator, USDC } from '../setup/facilitator.ts'
import { startGateway } from '../setup/gateway.ts'
import { query } from '../setup/query.ts'

// Independent clients pay end to end on a local chain.

const PAY_TO = getAddress('0x9a7d000000000000000000000000000000000004')
const run = promisify(execFile)
const database = await testDatabase()
const facilitator = await startFacilitator()
afterAll(() => facilitator.stop())
const gateway = await startGateway({
  database,
  routes,
  facilitatorUrl: facilitator.url,
  rpcUrl: facilitator.rpcUrl,
  overrides: { payTo: PAY_TO },
})
const urlOf = (path: string) => `http://127.0.0.1:${gateway.port}${path}`

beforeAll(async () => {
  await query(
    database.ownerUrl,
    `insert into fx_rates (currency, at, per_usd, source, fetched_at) values ('EUR', date_trunc('day', now(), 'UTC'), 0.8, 'test', now())`,
  )
})

const FIATS = [
  expect.objectContaining({ name: 'USD', rate: 1 }),
  expect.objectContaining({ name: 'EUR', rate: 0.8 }),
]

/** Returns a function that counts facilitator calls and spent units since now. */
async function ledger(payer: { address: string }) {
  const [before, paid] = [{ ...gateway.asked }, await facilitator.usdcOf(payer.address)]
  return async () => ({
    verify: gateway.asked.verify - before.verify,
    settle: gateway.asked.settle - before.settle,
    units: Number(paid - (await facilitator.usdcOf(payer.address))),
  })
}

async function transferOf(transaction: string) {
  const { status, logs } = await facilitator.anvil.call('eth_getTransactionReceipt', transaction)
  const [, { address, topics, data }] = logs
  const word = (text: string) => `0x${text.slice(-40)}`
  return { status, token: address, from: word(topics[1]), to: word(topics[2]), units: Number(data) }
}

const clients: [string, string, (payer: PrivateKeyAccount) => typeof fetch][] = [
  [
    '@x402/fetch, version 2',
    'eip155:8453',
    (payer) =>
      wrapFetchWithPayment(fetch, new x402Client().register('eip155:8453', new ExactEvmScheme(payer))),
  ],
  [
    '@x402/fetch, version 1',
    'base',
    (payer) =>
      wrapFetchWithPayment(withoutHeader, new x402Client().registerV1('base', new ExactEvmSchemeV1(payer))),
  ],
]

/** Hides the version 2 header, because the client prefers version 2 if both are offered. */
const withoutHeader: typeof fetch = async (...given) => {
  const response = await fetch(...given)
  const headers = new Headers(response.headers)
  headers.delete('payment-required')
  return new Response(response.body, { status: response.status, headers })
}

test.each(clients)('%s pays once and gets data, receipt and cookie', async (_, network, client) => {
  const payer = await facilitator.newPayer()
  const since = await ledger(payer)
  const response = await client(payer)(urlOf('/fiats'))
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual(FIATS)
  expect(response.headers.get('set-cookie')).toMatch(/^auth_token=/)
  const receipt = decodePaymentResponseHeader(response.headers.get('payment-response')!)
  const { transaction } = receipt
  expect(receipt).toMatchObject({ success: true, network, payer: payer.address.toLowerCase() })
  expect(await transferOf(transaction)).toEqual({
    status: '0x1',
    token: USDC,
    units: 1_000,
    from: payer.address.toLowerCase(),
    to: PAY_TO.toLowerCase(),
  })
  expect(await since()).toEqual({ verify: 1, settle: 1, units: 1_000 })
})

test.each(clients)(
  '%s: 20 parallel calls of one wallet are all paid and answered',
  async (_name, _network, client) => {
    const payer = await facilitator.newPayer()
    const since = await ledger(payer)
    const pay = client(payer)
    /** Repeats a call on a 503 of a busy gateway, unless its payment is pending. */
    const ask = async (): Promise<Response> => {
      const response = await pay(urlOf('/fiats'))
      if (response.status !== 503 || response.headers.has('payment-response')) return response
      await sleep(500)
      return ask()
    }
    const responses = await Promise.all(Array.from({ length: 20 }, ask))
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    expect(await since()).toMatchObject({ settle: 20, units: 20_000 })
  },
)

test.each(clients)('%s: a 404 costs nothing', async (_name, _network, client) => {
  const payer = await facilitator.newPayer()
  const since = await ledger(payer)
  expect((await client(payer)(urlOf('/coins/no-such-coin'))).status).toBe(404)
  expect(await since()).toMatchObject({ settle: 0, units: 0 })
})

test.each(clients)('%s: a wallet without money gets a second 402', async (_name, _network, client) => {
  const payer = await facilitator.newPayer({ usdc: 0 })
  const response = await client(payer)(urlOf('/fiats'))
  expect(response.status).toBe(402)
  const { error } = (await response.json()) as { error: string }
  expect(error).toMatch(/insufficient/)
})

test('a script can pay by the three steps of the interface', async () => {
  const key = generatePrivateKey()
  const payer = privateKeyToAccount(key)
  await mintUsdc(facilitator.rpc, { to: payer.address, units: 1_000_000n })
  const since = await ledger(payer)
  const script = join(import.meta.dirname, 'three-steps.mjs')
  const { stdout } = await run(process.execPath, [script, urlOf('/fiats')], {
    env: { ...BARE_ENVIRONMENT, PAYER_KEY: key },
  })
  const { first, paid, again } = JSON.parse(stdout)
  expect(first.status).toBe(402)
  expect(first.challenge.accepts).toEqual([
    {
      scheme: 'exact',
      network: 'eip155:8453',
      amount: '1000',
      maxTimeoutSeconds: 60,
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      payTo: PAY_TO,
      extra: { name: 'USD Coin', version: '2' },
    },
  ])
  expect(paid).toMatchObject({ status: 200, data: FIATS })
  expect(paid.receipt).toMatchObject({
    success: true,
    network: 'eip155:8453',
    payer: payer.address.toLowerCase(),
  })
  expect((await transferOf(paid.receipt.transaction)).units).toBe(1_000)
  expect(paid.cookie).toMatch(/^auth_token=\S+;/)
  expect(paid.cookie).toMatch(/Max-Age=3600/)
  expect(again).toMatchObject({ status: 200, data: FIATS, receipt: null })
  expect(await since()).toEqual({ verify: 1, settle: 1, units: 1_000 })
})
