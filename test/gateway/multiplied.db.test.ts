import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { pricedNetworks, withNetworks } from '../../api/networks.ts'
import { defineRoute } from '../../api/route.ts'
import { routes } from '../../api/routes.ts'
import { testDatabase } from '../setup/database.ts'
import { startFacilitator } from '../setup/facilitator.ts'
import { PAY_TO, startGateway } from '../setup/gateway.ts'
import { challengeOf, pay, paymentV1, paymentV2, send, signTransfer } from './pay.ts'
import { addressParam } from '../../api/params.ts'

// X402_PRICING=multiplied: prices scale with the credit multipliers, exact to the base unit.

/** 3 credits per network, 31 for all: 31 is no multiple of 3. */
const probe = defineRoute({
  method: 'GET',
  path: '/probe/networks',
  tag: 'Probe',
  summary: 'For tests',
  plan: 'any',
  credits: 3,
  x402: '0.001',
  response: z.object({}),
  query: withNetworks({ address: addressParam() }),
  multiplied: { creditsAll: 31, items: ({ query }) => pricedNetworks(query.networks) },
  handler: async () => ({ body: {}, asOf: null }),
})

const database = await testDatabase()
const facilitator = await startFacilitator()
afterAll(() => facilitator.stop())
const start = (pricing: 'flat' | 'multiplied') =>
  startGateway({
    database,
    routes: [...routes, probe],
    facilitatorUrl: facilitator.url,
    rpcUrl: facilitator.rpcUrl,
    overrides: { pricing },
  })
const [flat, multiplied] = [await start('flat'), await start('multiplied')]
const payer = await facilitator.newPayer()
const of = (networks: string, path = '/probe/networks') =>
  `${path}?address=${payer.address}&connectionId=${networks}`
const MISMATCH = {
  status: 402,
  receipt: null,
  body: { error: 'invalid_exact_evm_payload_authorization_value_mismatch' },
}

test('the price is the base price times the multipliers, rounded up to the base unit', async () => {
  for (const [target, units] of [
    ['/coins', '1000'],
    ['/probe/networks', '1000'],
    [of('ethereum'), '1000'],
    [of('ethereum,base-wallet'), '2000'],
    [of('base-wallet,ethereum,ethereum'), '2000'],
    [of('all'), '10334'],
    [of('all,ethereum'), '11334'],
    [of('ethereum,base-wallet', '/wallet/defi'), '80000'],
    [of('all', '/wallet/defi'), '400000'],
    ['/wallet/defi', '40000'],
  ] as const) {
    const { accepts } = await challengeOf(multiplied, target)
    expect([target, accepts[0]!.amount]).toEqual([target, units])
    const { accepts: one } = await challengeOf(flat, target)
    expect([target, one[0]!.amount]).toEqual([target, target.includes('defi') ? '40000' : '1000'])
  }
  for (const gateway of [flat, multiplied])
    expect((await gateway.get(of('ethereum,no-such-network'))).status).toBe(400)
})

test('the payment must have exactly that price', async () => {
  const before = await facilitator.usdcOf(PAY_TO)
  const challenge = await challengeOf(multiplied, of('all'))
  for (const value of [10_333n, 10_335n, 1_000n]) {
    const payload = await signTransfer({ challenge, payer, transfer: { value } })
    for (const payment of [paymentV1(payload), paymentV2(challenge, payload)])
      expect(await send(multiplied, of('all'), payment)).toMatchObject(MISMATCH)
  }
  const { answer } = await pay(multiplied, of('all'), { payer })
  expect(answer).toMatchObject({ status: 200, receipt: { success: true } })
  expect(await facilitator.usdcOf(PAY_TO)).toBe(before + 10_334n)
})

test('a payment from before a price change gets its answer, and its session covers only its price', async () => {
  const target = of('all')
  const { payload, payment, answer } = await pay(flat, target, { payer })
  expect(answer).toMatchObject({ status: 200, receipt: { success: true } })
  const before = { paid: await facilitator.usdcOf(PAY_TO), asked: { ...multiplied.asked } }
  for (const same of [payment, paymentV1(payload)]) {
    const again = await send(multiplied, target, same)
    const { transaction } = answer.receipt
    expect(again).toMatchObject({ status: 200, body: answer.body, receipt: { success: true, transaction } })
    const ask = async (networks: string) =>
      (await multiplied.get(of(networks), { headers: { cookie: answer.cookie! } })).status
    expect([await ask('ethereum'), await ask('ethereum,base-wallet'), await ask('all')]).toEqual([
      200, 402, 402,
    ])
    expect(await send(multiplied, of('all,ethereum'), same)).toMatchObject({ status: 402, receipt: null })
  }
  const resigned = { ...payload, signature: `0x${'11'.repeat(64)}1b` as const }
  expect(await send(multiplied, target, paymentV1(resigned))).toMatchObject(MISMATCH)
  expect({ paid: await facilitator.usdcOf(PAY_TO), asked: multiplied.asked }).toEqual(before)
})

test('a session covers calls at its price, not more expensive ones of the same path', async () => {
  const { answer } = await pay(multiplied, of('ethereum,base-wallet'), { payer })
  const ask = async (networks: string) =>
    (await multiplied.get(of(networks), { headers: { cookie: answer.cookie! } })).status
  expect([await ask('base-wallet'), await ask('ethereum,base-wallet'), await ask('all')]).toEqual([
    200, 200, 402,
  ])
})
