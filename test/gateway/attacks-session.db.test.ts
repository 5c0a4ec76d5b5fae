import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { revokeSessions } from '../../db/payments/revoked-sessions.ts'
import { openSession, sessionCookie } from '../../gateway/session/session-cookie.ts'
import { testDatabase } from '../setup/database.ts'
import { startFacilitator } from '../setup/facilitator.ts'
import { COOKIE_SECRETS, PUBLIC_URL, startGateway, type TestGateway } from '../setup/gateway.ts'
import { answerOf, pay, send } from './pay.ts'

// Attacks 34 to 36 on the session cookie, which buys calls for an hour.

const database = await testDatabase()
const facilitator = await startFacilitator()
afterAll(() => facilitator.stop())
let offsetMs = 0
const now = () => new Date(Date.now() + offsetMs)
const start = (change: Partial<Parameters<typeof startGateway>[0]> = {}) =>
  startGateway({
    database,
    routes,
    facilitatorUrl: facilitator.url,
    rpcUrl: facilitator.rpcUrl,
    ...change,
  })
const gateway = await start({ sessions: { now } })
const payer = await facilitator.newPayer()
const { answer: first, payment: firstPayment } = await pay(gateway, '/coins', { payer })
const cookie = first.cookie!
const ask = async (path: string, header: string, from: TestGateway = gateway) =>
  answerOf(await from.get(path, { headers: { cookie: header } }))

test('a session covers calls at its price or below for an hour, without the facilitator', async () => {
  expect(first.headers.get('set-cookie')).toMatch(
    /^auth_token=v1\.[\w-]+\.[\w-]+; Max-Age=(3600|3599); Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  )
  const asked = { ...gateway.asked }
  for (const path of ['/coins', '/coins?limit=5', '/fiats', '/wallet/blockchains'])
    expect(await ask(path, cookie)).toMatchObject({ status: 200, receipt: null, cookie: null })
  expect(gateway.asked).toEqual(asked)
})

test('an invalid call with a cookie gets 400', async () => {
  expect(await ask('/coins?limit=0', cookie)).toMatchObject({
    status: 400,
    body: { message: 'Invalid parameter: limit. It must be a whole number from 1 to 1000' },
  })
})

test('34. a forged, cut, doubled, foreign or expired cookie is ignored', async () => {
  const session = openSession({
    header: cookie,
    secrets: COOKIE_SECRETS,
    audience: PUBLIC_URL,
    nowS: Date.now() / 1_000,
  })!
  const made = (secret: string, audience = PUBLIC_URL, kid = 'b') =>
    sessionCookie({ session, secrets: [{ kid, secret }], audience, nowS: session.iat }).split(';', 1)[0]!
  const [newest] = COOKIE_SECRETS as [(typeof COOKIE_SECRETS)[0]]
  expect(await ask('/coins', made(newest.secret))).toMatchObject({ status: 200 })
  for (const bad of [
    made('a secret of somebody else, long enough'),
    made(newest.secret, PUBLIC_URL, 'c'),
    made(newest.secret, 'https://other.example.org'),
    cookie.slice(0, -1),
    `${cookie}; ${cookie}`,
    `${cookie}; auth_token=x`,
    cookie.replace('v1.', 'v2.'),
  ])
    expect([bad, (await ask('/coins', bad)).status]).toEqual([bad, 402])
  offsetMs = session.exp * 1_000 - Date.now() - 2_000
  expect((await ask('/coins', cookie)).status).toBe(200)
  offsetMs = session.exp * 1_000 - Date.now() + 1_000
  expect((await ask('/coins', cookie)).status).toBe(402)
  offsetMs = 0
})

test('35. a more expensive path costs its full price', async () => {
  for (const [path, amount] of [
    ['/wallet/transactions', '3000'],
    [`/wallet/balance?address=${payer.address}&blockchain=ethereum`, '4000'],
    [`/wallet/defi?address=${payer.address}&blockchain=ethereum`, '40000'],
  ] as const) {
    const answer = await ask(path, cookie)
    // With a cookie, errors of the call come first.
    if (path === '/wallet/transactions') expect(answer.status).toBe(400)
    else expect(answer).toMatchObject({ status: 402, body: { accepts: [{ maxAmountRequired: amount }] } })
  }
})

test('a cookie wins over a payment in the same request, and nothing is charged', async () => {
  const { payment, answer } = await pay(gateway, '/wallet/blockchains', { payer })
  const asked = { ...gateway.asked }
  expect(await send(gateway, '/coins', payment, { cookie: answer.cookie! })).toMatchObject({
    status: 200,
    receipt: null,
  })
  expect(await send(gateway, '/coins', 'garbage', { cookie })).toMatchObject({ status: 200 })
  expect(gateway.asked).toEqual(asked)
})

test('a repeated payment gets its stored answer and no session', async () => {
  const again = await send(gateway, '/coins', firstPayment)
  expect(again).toMatchObject({ status: 200, receipt: first.receipt, cookie: null })
})

describe('36. a stolen cookie', () => {
  test('covers only its scope if X402_COOKIE_SCOPE is narrower', async () => {
    const route = await start({ sessions: { scope: 'route' } })
    expect((await ask('/coins?limit=5', cookie, route)).status).toBe(200)
    expect((await ask('/fiats', cookie, route)).status).toBe(402)
    const url = await start({ sessions: { scope: 'url' } })
    expect((await ask('/coins', cookie, url)).status).toBe(200)
    expect((await ask('/coins?limit=5', cookie, url)).status).toBe(402)
  })

  test('is limited to the rate of one client', async () => {
    let clockMs = 0
    const slow = await start({ sessions: { requestsPerSecond: 5, monotonicMs: () => clockMs } })
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask('/fiats', cookie, slow)))
    const passed = answers.filter(({ status }) => status === 200)
    expect(passed.length).toBe(10)
    const refused = answers.find(({ status }) => status === 429)!
    expect(refused.body).toMatchObject({ statusCode: 429, message: 'Rate limit exceeded' })
    clockMs += Number(refused.headers.get('retry-after')) * 1_000
    expect((await ask('/fiats', cookie, slow)).status).toBe(200)
  })

  test('is revoked by transaction, or all of a payer by address, on every gateway', async () => {
    const other = await start()
    const bought = await Promise.all([1, 2].map(async () => (await pay(gateway, '/coins', { payer })).answer))
    const [one, two] = bought as [(typeof bought)[0], (typeof bought)[0]]
    const bystander = (await pay(gateway, '/coins', { payer: await facilitator.newPayer() })).answer.cookie!
    await revokeSessions(gateway.owner, one.receipt.transaction)
    const revokedMs = Date.now()
    for (const from of [gateway, other])
      while ((await ask('/coins', one.cookie!, from)).status !== 402) {
        expect(Date.now() - revokedMs).toBeLessThan(5_000)
        await sleep(50)
      }
    expect((await ask('/coins', two.cookie!)).status).toBe(200)
    await revokeSessions(gateway.owner, payer.address)
    await sleep(2_500)
    for (const gone of [two.cookie!, cookie]) expect((await ask('/coins', gone)).status).toBe(402)
    expect((await ask('/coins', bystander)).status).toBe(200)
    // A session bought afterwards is valid.
    await sleep(1_000)
    const { answer } = await pay(gateway, '/coins', { payer })
    expect((await ask('/coins', answer.cookie!)).status).toBe(200)
  })
})
