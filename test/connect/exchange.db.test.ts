import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createExchangesActivities } from '../../activities/exchanges/index.ts'
import { postConnectRedeem } from '../../api/portfolios/post-connect-redeem.ts'
import { openDb } from '../../db/connect.ts'
import { createVault } from '../../db/exchanges/vault.ts'
import { binanceKeys, type ExchangeKey } from '../../sandbox/exchanges/keys.ts'
import { browse } from '../account/browse.ts'
import { exchangeDeps, startExchanges } from '../exchanges/exchange-world.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint } from '../setup/endpoint.ts'
import { query } from '../setup/query.ts'
import { outboxOf } from '../setup/wallet-factories.ts'
import { APP, resultIn, startConnectWorld } from './connect-world.ts'

// Exchange accounts on the screens of connect kits and on the account page, with a simulated exchange.

const database = await testDatabase()
const { deps, publicKey } = exchangeDeps(database, await startExchanges())
const activities = createExchangesActivities(deps)
const meter = openDb({ url: database.meterUrl, maxConnections: 2, applicationName: 'test' })
const vault = createVault({ pool: meter.pool, publicKey, waitMs: 60_000 })
const clock = { ms: 0 }
const world = await startConnectWorld({ database, overrides: { vault, monotonicMs: () => clock.ms } })
const { api, url, openTo, signIn, newKit, screen, submit, redeem } = world
const partner = await api.newAccount()
const kitId = await newKit(partner.accountId)
const [reader, trader, other] = binanceKeys as [ExchangeKey, ExchangeKey, ExchangeKey]
const portfolios = (accountId: string) =>
  query(database.ownerUrl, 'select id, kind from portfolios where account_id = $1', [accountId])

let tried = 0
/** Tries the credentials that a request offers, as the worker does. */
async function working<T>(request: Promise<T>): Promise<T> {
  let isOpen = true
  const settled = request.finally(() => (isOpen = false))
  while (isOpen) {
    const offers = (await outboxOf(api.owner)).filter(({ workflow }) => workflow === 'connectExchange')
    for (const { input } of offers.slice(tried))
      await activities.tryExchangeCredentials(input as { connectionId: string; version: number })
    tried = offers.length
    await sleep(20)
  }
  return settled
}

const connect = (key: Pick<ExchangeKey, 'apiKey' | 'apiSecret'>) =>
  working(
    submit(screen(kitId, { at: '/exchange/binance', state: 's' }), {
      apiKey: key.apiKey,
      apiSecret: key.apiSecret,
    }),
  )

test('the screens lead to an exchange and name the rights that its key needs', async () => {
  const list = await browse(url).get(screen(kitId, { at: '/exchange' }))
  const path = /href="([^"]*\/exchange\/kraken\?[^"]*)"/.exec(list.text)![1]!.replaceAll('&#38;', '&')
  const { text } = await browse(url).get(path)
  expect(text).toContain('Query Ledger Entries')
  expect(text).toContain('Do not allow trading, transfers or withdrawals.')
  expect(text).toMatch(/<textarea name="apiSecret"/)
  expect((await browse(url).get(screen(kitId, { at: '/exchange/nowhere' }))).status).toBe(404)
})

test('a key that may only read connects the account, and the code tells the app', async () => {
  const { origin, message } = resultIn(await connect(reader))!
  expect(origin).toBe(APP)
  expect(message).toEqual({
    type: 'sluice-connect',
    portfolioId: expect.any(String),
    code: expect.any(String),
    state: 's',
  })
  const { portfolioId, code } = message
  const before = (await outboxOf(api.owner)).length
  const answer = await endpoint(api, { route: postConnectRedeem, key: partner.key })('/connect/redeem', {
    method: 'POST',
    body: JSON.stringify({ code }),
    headers: { 'content-type': 'application/json' },
  })
  expect(answer.body).toEqual({
    portfolioId,
    connectionId: 'binance',
    status: 'connected',
    kitId,
    address: null,
    signedIn: false,
  })
  expect((await outboxOf(api.owner)).slice(before)).toMatchObject([{ workflow: 'syncExchange' }])
  expect(await portfolios(partner.accountId)).toEqual([{ id: portfolioId, kind: 'exchange' }])
  expect((await redeem(partner.key, code)).status).toBe(404)

  const again = resultIn(await connect(reader))!.message
  expect(again['portfolioId']).toBe(portfolioId)
  expect(await (await redeem(partner.key, again['code'])).json()).toMatchObject({
    portfolioId,
    status: 'existing',
  })
})

test('a key that may do more than read is refused and deleted, and is not in the page', async () => {
  const done = await connect(trader)
  expect(done.status).toBe(400)
  expect(done.text).toMatch(/may do more than read: .*only read-only keys are accepted/i)
  expect(resultIn(done)).toBeNull()
  expect(done.text).not.toContain(trader.apiSecret)
  expect(done.text).not.toContain(trader.apiKey)
  const left = await query(
    database.ownerUrl,
    `select from exchange_secrets s join exchange_connections c on c.id = s.connection_id
     where c.active_version is null`,
  )
  expect(left).toEqual([])
  expect(await portfolios(partner.accountId)).toHaveLength(1)
})

test('a wrong key and a missing field are explained', async () => {
  const wrong = await connect({ ...other, apiSecret: 'wrong' })
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringMatching(/refused these credentials/i)])
  const empty = await connect({ ...other, apiSecret: '' })
  expect([empty.status, empty.text]).toEqual([400, expect.stringContaining('Fill in all fields')])
})

test('the account page connects an exchange account with the same screen, for the credits of the API', async () => {
  const own = await api.newAccount()
  await openTo(own.accountId)
  const { browser } = await signIn()
  const path = '/account/connections/exchange/binance'
  const refused = await working(
    browser.submit(path, path, { apiKey: trader.apiKey, apiSecret: trader.apiSecret }),
  )
  expect([refused.status, refused.text]).toEqual([400, expect.stringMatching(/may do more than read/i)])
  const done = await working(browser.submit(path, path, { apiKey: other.apiKey, apiSecret: other.apiSecret }))
  expect(done.text).toContain('Binance is connected.')
  expect(await portfolios(own.accountId)).toMatchObject([{ kind: 'exchange' }])
  expect((await browser.get('/account/usage')).text).toMatch(
    /POST \/portfolio\/exchange<\/th>\s*<td class="number">1<\/td>\s*<td class="number">10</,
  )
})

test('one network cannot try keys without end', async () => {
  clock.ms += 3_600_000
  const browser = browse(url)
  const path = screen(kitId, { at: '/exchange/binance' })
  const csrf = await browser.csrfOf(path)
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => browser.post(path, { csrf, apiKey: 'k', apiSecret: '' })),
  )
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(2)
  await meter.close()
})
