import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, expect, test } from 'vitest'
import { browse } from '../account/browse.ts'
import { resultIn, startConnectWorld } from './connect-world.ts'

// A user signs in with a wallet (EIP-4361). The app's server learns that the wallet is theirs.

const clock = { aheadMs: 0 }
const { api, url, newKit, screen, redeem } = await startConnectWorld({
  overrides: { now: () => new Date(Date.now() + clock.aheadMs) },
})
const partner = await api.newAccount()
const wallet = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const stranger = privateKeyToAccount(`0x${'22'.repeat(32)}`)
let kitId: string
beforeAll(async () => {
  kitId = await newKit(partner.accountId)
})

const plain = (text: string) => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))

/** Asks for the message of an address. */
async function ask(options: { kit?: string; address?: string; network?: string } = {}) {
  const { kit = kitId, address = wallet.address, network = 'ethereum' } = options
  const browser = browse(url)
  const csrf = await browser.csrfOf(screen(kit, { at: '/wallet' }))
  const page = await browser.post(screen(kit, { at: '/sign' }), { csrf, address, network })
  const message = plain(/data-message="([^"]*)"/.exec(page.text)?.[1] ?? '')
  const send = (signature: string, to = kit) =>
    browser.post(screen(to, { at: '/signed' }), { csrf, signature })
  return { browser, csrf, page, message, send }
}

test('the wallet signs a message of EIP-4361, and the code says that it did', async () => {
  const { message, send, page } = await ask()
  expect(message.split('\n').slice(0, 2)).toEqual([
    `${new URL(url).host} wants you to sign in with your Ethereum account:`,
    wallet.address,
  ])
  expect(message).toContain(`URI: ${url}/connect/${kitId}\nVersion: 1\nChain ID: 1\nNonce: `)
  expect(page.text).toContain('<script src="/connect/wallet.js" defer>')
  const done = await send(await wallet.signMessage({ message }))
  const { code, portfolioId } = resultIn(done)!.message
  expect(await (await redeem(partner.key, code)).json()).toMatchObject({
    portfolioId,
    address: wallet.address.toLowerCase(),
    connectionId: 'ethereum',
    signedIn: true,
  })
})

test.each([
  ['another wallet', async (message: string) => stranger.signMessage({ message })],
  [
    'another message',
    async (message: string) => wallet.signMessage({ message: message.replace('Nonce: ', 'Nonce: x') }),
  ],
  [
    'another site',
    async (message: string) => wallet.signMessage({ message: message.replace(/^\S+/, 'evil.example') }),
  ],
  ['nothing', async () => ''],
  ['noise', async () => `0x${'ff'.repeat(65)}`],
  ['no hexadecimal', async () => 'x'.repeat(132)],
])('a signature of %s is refused, and the message is spent', async (_what, sign) => {
  const { message, send } = await ask()
  const refused = await send(await sign(message))
  expect([refused.status, resultIn(refused)]).toEqual([400, null])
  expect(refused.text).toContain('The signature is not one of this address.')
  const late = await send(await wallet.signMessage({ message }))
  expect([late.status, late.text]).toEqual([400, expect.stringContaining('The message has expired.')])
})

test('a signature that was used cannot be used again, even with the cookie of its message', async () => {
  const { browser, message, send } = await ask()
  const cookie = browser.cookies.get('sluice_challenge')!
  const signature = await wallet.signMessage({ message })
  expect(resultIn(await send(signature))).not.toBeNull()
  browser.cookies.set('sluice_challenge', cookie)
  const replayed = await send(signature)
  expect([replayed.status, replayed.text]).toEqual([400, expect.stringContaining('signed and used before')])
})

test('a message of one kit does not sign in to another one', async () => {
  const evil = await newKit((await api.newAccount()).accountId)
  const { browser, message, send } = await ask()
  const cookie = browser.cookies.get('sluice_challenge')!
  const signature = await wallet.signMessage({ message })
  const other = await ask({ kit: evil })
  other.browser.cookies.set('sluice_challenge', cookie)
  const refused = await other.send(signature)
  expect([refused.status, resultIn(refused)]).toEqual([400, null])
  expect(resultIn(await send(signature))).not.toBeNull()
})

test('a message is good for ten minutes', async () => {
  const { message, send } = await ask()
  const signature = await wallet.signMessage({ message })
  clock.aheadMs += 601_000
  const { status, text } = await send(signature)
  expect([status, text]).toEqual([400, expect.stringContaining('The message has expired.')])
})

test('an address that cannot sign such a message is refused', async () => {
  for (const fields of [{ network: 'bitcoin' }, { address: '' }, { address: 'x' }, { network: 'nowhere' }])
    expect((await ask(fields)).page.status).toBe(400)
})
