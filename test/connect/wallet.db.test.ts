import { expect, test } from 'vitest'
import { postConnectRedeem } from '../../api/portfolios/post-connect-redeem.ts'
import { browse } from '../account/browse.ts'
import { endpoint } from '../setup/endpoint.ts'
import { query } from '../setup/query.ts'
import { address, outboxOf } from '../setup/wallet-factories.ts'
import { APP, REDIRECTS, resultIn, startConnectWorld, WALLET } from './connect-world.ts'

// A user connects a wallet by its address with the kit of an app. The app's server redeems the code.

const { database, api, url, openTo, signIn, newKit, screen, submit, chooseWallet, redeem } =
  await startConnectWorld()
const partner = await api.newAccount()
const portfolios = (accountId: string) =>
  query(database.ownerUrl, 'select id, address, network_id from portfolios where account_id = $1', [
    accountId,
  ])

const post = (code: string) => ({
  method: 'POST',
  body: JSON.stringify({ code }),
  headers: { 'content-type': 'application/json' },
})

test('a popup gives a portfolio id and a code to the origin of the app, and the code connects the wallet once', async () => {
  const kitId = await newKit(partner.accountId)
  const before = (await outboxOf(api.owner)).length
  const browser = browse(url)
  const start = await browser.get(screen(kitId, { state: 'a "b" & c' }))
  expect(start.text).toContain('Paper Hands asks to see')
  const path = /href="([^"]*\/wallet\?[^"]*)"/.exec(start.text)![1]!.replaceAll('&#38;', '&')
  const done = await submit(path, { network: 'ethereum', address: WALLET }, browser)
  expect(done.status).toBe(200)
  const { origin, message } = resultIn(done)!
  expect(origin).toBe(APP)
  expect(message).toEqual({
    type: 'sluice-connect',
    portfolioId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    code: expect.stringMatching(/^\w{40}$/),
    state: 'a "b" & c',
  })
  // Nothing is connected or charged before the app's server says so.
  expect(await portfolios(partner.accountId)).toEqual([])
  expect((await outboxOf(api.owner)).length).toBe(before)

  const call = endpoint(api, { route: postConnectRedeem, key: partner.key })
  const answer = await call('/connect/redeem', post(message['code']!))
  expect(answer.credits).toBe(40)
  expect(answer.body).toEqual({
    portfolioId: message['portfolioId'],
    connectionId: 'ethereum',
    status: 'connected',
    kitId,
    address: WALLET,
    signedIn: false,
  })
  expect(await portfolios(partner.accountId)).toEqual([
    { id: message['portfolioId'], address: WALLET, network_id: 'ethereum' },
  ])
  const commands = (await outboxOf(api.owner)).slice(before).map(({ workflow }) => workflow)
  expect(commands).toEqual(['syncWallet', 'refreshAccount'])
  expect((await redeem(partner.key, message['code'])).status).toBe(404)

  // The same wallet again has the same id.
  const again = resultIn(await chooseWallet(kitId))!.message
  expect(again['portfolioId']).toBe(message['portfolioId'])
  expect((await call('/connect/redeem', post(again['code']!))).body).toMatchObject({
    portfolioId: message['portfolioId'],
    status: 'existing',
  })
})

test('a redirect leads to the redirect URL with the result and the state', async () => {
  const kitId = await newKit(partner.accountId, REDIRECTS)
  const done = await submit(screen(kitId, { at: '/wallet', state: 's 1' }), {
    network: 'bitcoin',
    address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  })
  expect(done.status).toBe(303)
  const target = new URL(done.location!)
  expect(target.origin + target.pathname).toBe(`${APP}/cb`)
  const { code, portfolioId, ...rest } = Object.fromEntries(target.searchParams)
  expect(rest).toEqual({ from: 'sluice', state: 's 1' })
  const body: unknown = await (await redeem(partner.key, code)).json()
  expect(body).toMatchObject({ portfolioId, connectionId: 'bitcoin', status: 'connected' })
})

test('cancelling tells the app', async () => {
  const popup = await newKit(partner.accountId)
  expect(resultIn(await cancel(popup))).toEqual({
    origin: APP,
    message: { type: 'sluice-connect', error: 'cancelled', state: 'x' },
  })
  const { location } = await cancel(await newKit(partner.accountId, REDIRECTS))
  expect(location).toBe(`${APP}/cb?from=sluice&error=cancelled&state=x`)
})

/** The cancel form is on the first screen. */
async function cancel(kitId: string) {
  const browser = browse(url)
  const csrf = await browser.csrfOf(screen(kitId, { state: 'x' }))
  return browser.post(screen(kitId, { at: '/cancel', state: 'x' }), { csrf })
}

test('without a script, a popup offers a link only to an address that the kit lists', async () => {
  const bare = await newKit(partner.accountId)
  expect((await chooseWallet(bare)).text).not.toContain('Back to the app')
  const linked = await newKit(partner.accountId, { redirectUrls: REDIRECTS.redirectUrls! })
  expect((await chooseWallet(linked)).text).toMatch(
    /href="https:\/\/app\.example\.com\/cb\?from=sluice&#38;portfolioId=/,
  )
})

test.each([
  ['an unknown network', { network: 'nowhere' }, 'Choose a network of the list.'],
  ['a network that is off', { network: 'solana' }, 'Choose a network of the list.'],
  ['no address', { address: '' }, 'This is no address.'],
  ['a wrong checksum', { address: `0x${'aB'.repeat(20)}` }, 'This is no address.'],
  ['an address of another network', { network: 'bitcoin' }, 'The address is not one of Bitcoin.'],
])('a form with %s is shown again with the reason', async (_what, fields, reason) => {
  const { status, text } = await chooseWallet(await newKit(partner.accountId), fields)
  expect([status, text]).toEqual([400, expect.stringContaining(reason)])
})

test('a code is not spent by an account without credits', async () => {
  const poor = await api.newAccount({ credits: 39 })
  const { message } = resultIn(await chooseWallet(await newKit(poor.accountId)))!
  expect((await redeem(poor.key, message['code'])).status).toBe(429)
  const rows = await query(database.ownerUrl, 'select redeemed_at from connect_codes where account_id = $1', [
    poor.accountId,
  ])
  expect(rows).toEqual([{ redeemed_at: null }])
})

test('the look of a kit is in the page and in its policy', async () => {
  const kitId = await newKit(partner.accountId, {
    appearance: 'dark',
    accent: '#ffee00',
    logo: 'https://cdn.example.com/logo.png',
  })
  const { text, headers } = await browse(url).get(screen(kitId))
  expect(text).toContain('<img src="https://cdn.example.com/logo.png"')
  expect(text).toContain('background: #ffee00; border-color: #ffee00; color: #000')
  expect(headers.get('content-security-policy')).toContain('img-src data: https://cdn.example.com;')
})

test('the account page connects a wallet with the same screen, for the credits of the API', async () => {
  const own = await api.newAccount()
  await openTo(own.accountId)
  const { browser } = await signIn()
  const path = '/account/connections/wallet'
  const bad = await browser.post(path, {
    csrf: await browser.csrfOf(path),
    network: 'ethereum',
    address: 'x',
  })
  expect([bad.status, bad.text]).toEqual([400, expect.stringContaining('This is no address.')])
  for (let i = 0; i < 2; i++) {
    const { text } = await browser.submit(path, path, { network: 'ethereum', address: address(9) })
    expect(text).toContain('The wallet is connected.')
  }
  expect(await portfolios(own.accountId)).toMatchObject([{ address: address(9), network_id: 'ethereum' }])
  expect((await browser.get('/account/usage')).text).toMatch(
    /POST \/portfolio\/wallet<\/th>\s*<td class="number">2<\/td>\s*<td class="number">80</,
  )
  await openTo((await api.newAccount({ credits: 10 })).accountId)
  const poor = (await signIn()).browser
  const refused = await poor.post(path, {
    csrf: await poor.csrfOf(path),
    network: 'ethereum',
    address: WALLET,
  })
  expect(refused.status).toBe(429)
})
