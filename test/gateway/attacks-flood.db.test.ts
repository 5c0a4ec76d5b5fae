import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { testDatabase } from '../setup/database.ts'
import { startFacilitator } from '../setup/facilitator.ts'
import { startGateway, type TestGateway } from '../setup/gateway.ts'
import { type Challenge, challengeOf, pay, paymentV2, send, signTransfer } from './pay.ts'

// Attack 41: bad payments and their neighbours. All requests come from one network unless they state an
// address.

const database = await testDatabase()
const facilitator = await startFacilitator()
afterAll(() => facilitator.stop())
/** Starts a gateway with its own counts. The rate limit clock stands still. `blind`: without a node. */
const start = ({ blind = false } = {}) =>
  startGateway({
    database,
    routes,
    facilitatorUrl: facilitator.url,
    ...(!blind && { rpcUrl: facilitator.rpcUrl }),
    overrides: { monotonicMs: () => 0, trustedProxies: '127.0.0.1' },
  })
const newSigner = () => privateKeyToAccount(generatePrivateKey())
const from = (address: string) => ({ 'x-forwarded-for': address })

async function signed(challenge: Challenge, payer = newSigner()) {
  return paymentV2(challenge, await signTransfer({ challenge, payer }))
}

/** Sends payments, 100 in parallel, and returns the statuses. */
async function flood(
  gateway: TestGateway,
  payments: readonly unknown[],
  headers: (i: number) => Record<string, string> = () => ({}),
): Promise<number[]> {
  const statuses: number[] = []
  for (let i = 0; i < payments.length; i += 100)
    statuses.push(
      ...(await Promise.all(
        payments
          .slice(i, i + 100)
          .map(async (payment, at) => (await send(gateway, '/coins', payment, headers(i + at))).status),
      )),
    )
  return statuses
}

test('payers without money cause at most 100 facilitator calls, and a neighbour can still pay', async () => {
  const gateway = await start()
  const challenge = await challengeOf(gateway, '/coins')
  const broke = await Promise.all(Array.from({ length: 150 }, () => signed(challenge)))
  expect(new Set(await flood(gateway, broke))).toEqual(new Set([402]))
  expect(gateway.asked.verify).toBeLessThanOrEqual(100)
  expect(gateway.asked.settle).toBe(0)
  const { answer } = await pay(gateway, '/coins', { payer: await facilitator.newPayer() })
  expect(answer).toMatchObject({ status: 200, receipt: { success: true } })
})

test('S13 a valid payment during a flood is served, with and without a node', async () => {
  for (const rpc of [true, false]) {
    const gateway = await start({ blind: !rpc })
    const challenge = await challengeOf(gateway, '/coins')
    const broke = await Promise.all(Array.from({ length: 120 }, () => signed(challenge)))
    await flood(gateway, broke.slice(0, 70))
    const [payer, going] = [await facilitator.newPayer(), flood(gateway, broke.slice(70))]
    const { answer } = await pay(gateway, '/coins', { payer })
    expect([rpc, answer.status]).toEqual([rpc, 200])
    await going
  }
})

test('all addresses of a /64 count as one network, and other networks are not slowed', async () => {
  const gateway = await start()
  const challenge = await challengeOf(gateway, '/coins')
  const broke = await Promise.all(Array.from({ length: 150 }, () => signed(challenge)))
  await flood(gateway, broke, (i) => from(`2001:db8:5:5::${i.toString(16)}`))
  const { verify } = gateway.asked
  expect(verify).toBeLessThanOrEqual(100)
  // From another network the payment reaches the facilitator again.
  expect((await send(gateway, '/coins', await signed(challenge), from('2001:db8:6:6::1'))).status).toBe(402)
  expect(gateway.asked.verify).toBe(verify + 1)
})

test('a payer is limited only by its own failures', async () => {
  const gateway = await start()
  const payer = await facilitator.newPayer()
  const challenge = await challengeOf(gateway, '/coins/no-such-coin')
  const statuses: number[] = []
  for (let i = 0; i < 70; i++)
    statuses.push((await send(gateway, '/coins/no-such-coin', await signed(challenge, payer))).status)
  expect(statuses.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 404))
  expect(statuses.slice(60)).toEqual(Array.from({ length: 10 }, () => 429))
  const elsewhere = await pay(gateway, '/coins', { payer, headers: from('192.0.2.9') })
  expect(elsewhere.answer.status).toBe(429)
  const neighbour = await pay(gateway, '/coins', { payer: await facilitator.newPayer() })
  expect(neighbour.answer.status).toBe(200)
})

test('forged payments, and settled ones for other calls, do not count against the payer', async () => {
  const gateway = await start()
  const payer = await facilitator.newPayer()
  const { challenge, payload, payment, answer } = await pay(gateway, '/coins', { payer })
  expect(answer.status).toBe(200)
  const forged = await Promise.all(
    Array.from({ length: 70 }, async () =>
      paymentV2(
        challenge,
        await signTransfer({ challenge, payer: newSigner(), transfer: { from: payer.address } }),
      ),
    ),
  )
  await flood(gateway, forged)
  const { resource: _, ...unbound } = paymentV2(challenge, payload)
  for (let i = 0; i < 70; i++)
    expect((await send(gateway, '/fiats', unbound, from(`192.0.2.${i}`))).status).toBe(402)
  const next = await pay(gateway, '/coins', { payer, headers: from('198.51.100.1') })
  expect(next.answer).toMatchObject({ status: 200, receipt: { success: true } })
  expect((await send(gateway, '/coins', payment, from('198.51.100.1'))).status).toBe(200)
})
