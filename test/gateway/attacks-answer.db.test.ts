import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { badRequest, notFound, notSynced } from '../../api/errors.ts'
import { defineRoute } from '../../api/route.ts'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import { createAccount, setDegen } from '../../db/metering/write.ts'
import { insertMarket, at, NOW, portfolioWorld } from '../portfolios/portfolio-world.ts'
import { share } from '../portfolios/share-probe.ts'
import { testDatabase } from '../setup/database.ts'
import { startFacilitator } from '../setup/facilitator.ts'
import { PAY_TO, PUBLIC_URL, startGateway } from '../setup/gateway.ts'
import { query } from '../setup/query.ts'
import { challengeOf, pay, paymentV2, send, signTransfer } from './pay.ts'

// Attacks 33, 39 and 41: charges for failed calls, for shared portfolios, and during a flood.

const FAILURES: Record<string, () => Error> = {
  '400': () => badRequest(),
  '404': () => notFound(),
  '409': () => notSynced(),
  '500': () => new Error('select secret from internals'),
}
/** Whether the probe fails with the status in its path. */
let failing = true
let handled = 0
const probe = defineRoute({
  method: 'GET',
  path: '/probe/fails/{status}',
  tag: 'Probe',
  summary: 'For tests',
  credits: 1,
  plan: 'any',
  x402: '0.001',
  response: z.object({}),
  pathParams: z.object({ status: z.string() }),
  async handler({ path }) {
    handled++
    if (failing) throw FAILURES[path.status]!()
    return { body: {}, asOf: null }
  },
})

const database = await testDatabase()
const facilitator = await startFacilitator()
afterAll(() => facilitator.stop())
/** Fixed time of the rate limit clock; null: it runs. */
let stoodMs: number | null = null
const gateway = await startGateway({
  database,
  routes: [...routes, probe],
  facilitatorUrl: facilitator.url,
  rpcUrl: facilitator.rpcUrl,
  overrides: { now: () => new Date(), monotonicMs: () => stoodMs ?? performance.now() },
})
const payer = await facilitator.newPayer()
const payments = () => query<{ state: string }>(database.ownerUrl, 'select state from payments order by id')
const paid = () => facilitator.usdcOf(PAY_TO)

describe('33. a failed call costs nothing, and its payment can be used again', () => {
  test.each(['400', '404', '409', '500'])('after status %s', async (status) => {
    failing = true
    const before = { paid: await paid(), settles: gateway.asked.settle, handled }
    const path = `/probe/fails/${status}`
    const { answer, payment } = await pay(gateway, path, { payer })
    expect(answer).toMatchObject({
      status: Number(status),
      body: { statusCode: Number(status), requestId: answer.headers.get('x-request-id'), path },
      receipt: null,
      cookie: null,
    })
    expect(JSON.stringify(answer.body)).not.toContain('secret')
    expect({ paid: await paid(), settles: gateway.asked.settle, handled }).toEqual({
      ...before,
      handled: before.handled + 1,
    })
    failing = false
    expect(await send(gateway, path, payment)).toMatchObject({ status: 200, receipt: { success: true } })
    expect(await paid()).toBe(before.paid + 1_000n)
  })

  test('at real endpoints nothing is charged either', async () => {
    const before = { paid: await paid(), payments: await payments() }
    const wallet = `address=${payer.address}&blockchain=ethereum`
    for (const [path, status] of [
      ['/coins/no-such-coin', 404],
      [`/wallet/transactions?${wallet}`, 409],
      ['/wallet/transactions', 400],
    ] as const)
      expect([path, (await pay(gateway, path, { payer })).answer.status]).toEqual([path, status])
    expect({ paid: await paid(), payments: await payments() }).toEqual(before)
  })
})

describe('39. a shared portfolio', () => {
  const PASSCODE = '000042'
  const path = '/portfolio/transactions?currency=USD'
  let tokens: { open: string; locked: string }

  beforeAll(async () => {
    const ingest = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
    await insertMarket(gateway.owner, database.ownerUrl)
    const { accountId } = await createAccount(gateway.owner, { name: 'owner', plan: 'free' })
    await setDegen(gateway.owner, { accountId, degen: true })
    const world = portfolioWorld(database, { db: gateway.owner }, ingest, () => NOW)
    const portfolioId = await world.manualPortfolio(accountId, [
      { at: at('04T06:00:00'), coinId: 'bitcoin', count: 1, priceUsd: 53_000 },
    ])
    const [open, locked] = [
      await share(gateway, { portfolioId }),
      await share(gateway, { portfolioId, passcode: PASSCODE }),
    ]
    tokens = { open: open.token, locked: locked.token }
    return () => ingest.close()
  })

  test('without its token in the header gets 400 and no charge', async () => {
    const before = { paid: await paid(), payments: await payments(), asked: { ...gateway.asked } }
    const needed = { '/portfolio/chart': '?type=all', '/portfolio/transactions': '?currency=USD' }
    const shared = routes.filter((route) => route.x402 !== null && route.path.startsWith('/portfolio/'))
    expect(shared).toHaveLength(6)
    for (const route of shared) {
      const target = `${route.path}${needed[route.path as keyof typeof needed] ?? ''}`
      for (const other of [target, `${target}${target.includes('?') ? '&' : '?'}shareToken=${tokens.open}`])
        expect([other, (await pay(gateway, other, { payer })).answer]).toMatchObject([
          other,
          { status: 400, body: { message: 'shareToken is required', error: 'shareToken is required' } },
        ])
    }
    expect({ paid: await paid(), payments: await payments(), asked: gateway.asked }).toEqual(before)
  })

  test('with a wrong token or passcode costs nothing', async () => {
    const before = await paid()
    for (const [headers, status] of [
      [{ sharetoken: 'x'.repeat(30) }, 404],
      [{ sharetoken: '' }, 404],
      [{ sharetoken: tokens.locked }, 403],
      [{ sharetoken: tokens.locked, passcode: '000000' }, 403],
    ] as const)
      expect((await pay(gateway, path, { payer, headers })).answer).toMatchObject({ status, receipt: null })
    expect(await paid()).toBe(before)
  })

  test('needs payment, token and passcode on every call', async () => {
    const headers = { sharetoken: tokens.locked, passcode: PASSCODE }
    const { answer, payment, challenge } = await pay(gateway, path, { payer, headers })
    expect(answer).toMatchObject({ status: 200, receipt: { success: true } })
    expect(answer.body.data).toHaveLength(1)
    // Neither the payment nor the cookie is enough alone.
    expect((await send(gateway, path, payment)).status).toBe(400)
    expect((await send(gateway, path, payment, { sharetoken: tokens.locked })).status).toBe(402)
    const cookie = answer.cookie!
    for (const [given, status] of [
      [{ cookie }, 400],
      [{ cookie, sharetoken: tokens.locked }, 403],
      [{ cookie, ...headers }, 200],
      [{ cookie, sharetoken: tokens.open }, 200],
    ] as const)
      expect((await gateway.get(path, { headers: given })).status).toBe(status)
    expect(challenge.resource.url).toBe(`${PUBLIC_URL}${path}`)
  })

  test('the challenge holds no token or passcode, because facilitators see it', async () => {
    const secret = `${path}&shareToken=${tokens.locked}&passcode=${PASSCODE}`
    const challenge = await challengeOf(gateway, secret, { sharetoken: tokens.locked, passcode: PASSCODE })
    expect(JSON.stringify(challenge)).not.toMatch(new RegExp(`${tokens.locked}|${PASSCODE}`))
  })
})

test('41. a flood of forged payments does not reach the facilitator or block a valid payment', async () => {
  const challenge = await challengeOf(gateway, '/coins')
  const payload = await signTransfer({ challenge, payer })
  const forged = paymentV2(challenge, { ...payload, signature: `0x${'11'.repeat(64)}1b` as const })
  const before = { asked: { ...gateway.asked }, payments: await payments() }
  stoodMs = performance.now()
  const statuses: number[] = []
  for (let i = 0; i < 10; i++)
    statuses.push(
      ...(await Promise.all(
        Array.from({ length: 20 }, async () => (await send(gateway, '/coins', forged)).status),
      )),
    )
  expect(new Set(statuses)).toEqual(new Set([402]))
  expect({ asked: gateway.asked, payments: await payments() }).toEqual(before)
  expect(await send(gateway, '/coins', paymentV2(challenge, payload))).toMatchObject({ status: 200 })
  expect(gateway.asked).toEqual({ verify: before.asked.verify + 1, settle: before.asked.settle + 1 })
})
