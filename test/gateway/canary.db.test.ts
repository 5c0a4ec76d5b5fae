import { pino } from 'pino'
import { afterAll, afterEach, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { redaction } from '../../ops/telemetry/redaction.ts'
import { createShareToken } from '../../db/values/share-token.ts'
import { testDatabase } from '../setup/database.ts'
import { startFacilitator } from '../setup/facilitator.ts'
import { startGateway } from '../setup/gateway.ts'
import { query } from '../setup/query.ts'
import { challengeOf, encode, pay, paymentV2, signTransfer } from './pay.ts'
import { sendRaw } from './send-raw.ts'

// Attack 40: no log line and no error shows the secrets of a request, whatever its outcome.

const database = await testDatabase()
const facilitator = await startFacilitator()
afterAll(() => facilitator.stop())
const lines: string[] = []
const stream = { write: (line: string) => void lines.push(line) }
const gateway = await startGateway({
  database,
  routes,
  facilitatorUrl: facilitator.url,
  rpcUrl: facilitator.rpcUrl,
  overrides: { logger: pino({ level: 'trace' }, stream) },
})
const payer = await facilitator.newPayer()
const token = createShareToken()
const { answer, payment, payload } = await pay(gateway, '/coins', { payer })
const cookie = answer.cookie!
const fresh = async (path: string) => {
  const challenge = await challengeOf(gateway, path)
  return signTransfer({ challenge, payer }).then((signed) => ({
    signed,
    payment: paymentV2(challenge, signed),
  }))
}

const secrets: string[] = [
  token,
  '739518',
  cookie.slice(11),
  encode(payment),
  payload.signature.slice(2),
  payload.signature.slice(2).toUpperCase(),
]
const shows = (text: string) => secrets.filter((secret) => text.includes(secret))
afterEach(() => expect(lines.filter((line) => shows(line).length > 0)).toEqual([]))

test('40. errors and logs contain no payment, cookie, token or passcode', async () => {
  const headers = { sharetoken: token, passcode: '739518', cookie }
  const search = `shareToken=${token}&passcode=739518`
  const statuses: number[] = []
  for (const path of [
    '/coins?limit=0&',
    '/coins/nothing?',
    '/portfolio/value?',
    '/v1/coins?',
    '/news?limit=0&',
    '/wallet/defi?',
    '/portfolio/snapshot/items?',
    '/portfolio/chart?',
    '/%63oins?',
  ])
    for (const extra of [{}, { 'x-payment': encode(payment) }, { 'payment-signature': 'garbage' }]) {
      const response = await gateway.get(`${path}${search}`, { headers: { ...headers, ...extra } })
      statuses.push(response.status)
      if (response.status === 200) continue
      const said = [...response.headers, await response.text()].join(' ')
      expect([path, response.status, shows(said)]).toEqual([path, response.status, []])
    }
  expect(new Set(statuses)).toEqual(new Set([400, 402, 404]))
  for (const method of ['POST', 'TRACE', 'HEAD']) {
    const lines = [`X-PAYMENT: ${encode(payment)}`, `Cookie: ${cookie}`, `sharetoken: ${token}`]
    const { body, status } = await sendRaw(gateway, { method, target: `/coins?${search}`, headers: lines })
    expect([status, shows(body)]).toEqual([405, []])
  }
})

test('40. logged server errors contain no secrets', async () => {
  const written = lines.length
  const { signed, payment: next } = await fresh('/coins')
  secrets.push(signed.signature.slice(2), encode(next))
  // Kept answers are of the time before this write.
  await query(database.ownerUrl, 'delete from coin_quotes where false')
  await query(database.ownerUrl, 'alter table coin_quotes rename to away')
  const broken = await gateway.get('/coins', { headers: { 'x-payment': encode(next) } })
  expect([broken.status, shows(await broken.text())]).toEqual([500, []])
  const byCookie = await gateway.get('/coins', { headers: { cookie } })
  expect([byCookie.status, shows(await byCookie.text())]).toEqual([500, []])
  await query(database.ownerUrl, 'alter table away rename to coin_quotes')
  await facilitator.end()
  const down = await gateway.get('/coins', { headers: { 'x-payment': encode(next) } })
  expect([down.status, shows(await down.text())]).toEqual([503, []])
  await facilitator.start()
  const again = await gateway.get('/coins', { headers: { 'x-payment': encode(next) } })
  expect(again.status).toBe(200)
  expect(lines.length).toBeGreaterThan(written + 1)
})

test('40. the logger redacts secrets that reach it', () => {
  const blanked: string[] = []
  const logger = pino({ redact: redaction }, { write: (line) => void blanked.push(line) })
  const headers = {
    'x-payment': 's3cret',
    'payment-signature': 's3cret',
    cookie: 's3cret',
    passcode: 's3cret',
  }
  logger.info({ headers, req: { headers }, sharetoken: 's3cret', payload: { signature: 's3cret' } })
  expect(blanked.join('')).toContain('[Redacted]')
  expect(blanked.join('')).not.toContain('s3cret')
})
