import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createInterface } from 'node:readline'
import type { Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, expect, inject, test } from 'vitest'
import { ROOT } from '../../cli/folders.ts'
import { readSecrets } from '../../cli/secrets.ts'
import { freePort } from '../../cli/supervisor/free-port.ts'
import { readRun } from '../../cli/supervisor/run-file.ts'
import { exchanges } from '../../sandbox/chain/actors.ts'
import { openBrowser } from '../account/browser.ts'
import { commandIn, runBlock } from '../docs/run-block.ts'
import { jsonRpc } from '../setup/anvil.ts'

// A partner follows docs/clients.md on a fresh installation: a kit, the example app, a user in a browser, events and
// figures, and the end.

const { url, home, key, webhookPorts } = inject('installation')
const origin = new URL(url).origin
const page = 'docs/clients.md'
const { newPage, expectNoOffence } = await openBrowser()
const user = privateKeyToAccount(generatePrivateKey()).address.toLowerCase()
const ETHER = 10n ** 18n

/** The server of the partner, which answers every event. */
const got: { headers: Record<string, string>; body: string }[] = []
async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = ''
  for await (const part of request) body += String(part)
  got.push({ headers: request.headers as Record<string, string>, body })
  response.writeHead(204).end()
}
const receiver = createServer((request, response) => void take(request, response))
receiver.listen(webhookPorts[0], '127.0.0.1')
await once(receiver, 'listening')
afterAll(() => {
  receiver.closeAllConnections()
  receiver.close()
})

const values = {
  'https://SLUICE': origin,
  'http://127.0.0.1:8080': origin,
  'sl_...': key,
  'https://app.example.com/sluice': `http://127.0.0.1:${webhookPorts[0]}/sluice`,
}

async function call(method: string, path: string): Promise<any> {
  const response = await fetch(url + path, { method, headers: { 'X-API-KEY': key } })
  const answer = await response.json()
  expect([path, response.status, answer]).toEqual([path, 200, expect.anything()])
  return answer
}

/** "Make a kit": signs in at the address that the page names, and sets what its table lists. */
async function makeKit(app: string): Promise<string> {
  const owner = await newPage({ width: 1_200 })
  await owner.goto(`${origin}/account/sign-in`)
  await owner.getByLabel('Password').fill(readSecrets(home)!.demoPassword)
  await owner.getByRole('button', { name: 'Sign in' }).click()
  await owner.getByRole('heading', { level: 1, name: 'Portfolio' }).waitFor()
  await owner.goto(`${origin}/account/kits`)
  await owner.getByLabel('Name of your app').fill('Paper Hands')
  await owner.getByLabel('Trusted origins').fill(app)
  await owner.getByRole('button', { name: 'Make a connect kit' }).click()
  await owner.getByRole('status').waitFor()
  return (await owner.getByRole('main').locator('section code').first().textContent())!
}

let server: ChildProcess | undefined
afterAll(() => void server?.kill())

/** Starts the example app by the command of the page. */
async function startApp(kit: string, port: number): Promise<void> {
  const { command } = commandIn({ page, heading: 'Redeem the code', word: 'clients/connect-kit' })
  const given: Record<string, string> = { ...values, '=KIT': `=${kit}`, '3000': String(port) }
  const line = Object.entries(given).reduce(
    (text, [name, value]) => text.replaceAll(name, value),
    command.text,
  )
  server = spawn('bash', ['-c', line.replace(' node ', ' exec node ')], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [first] = (await once(createInterface({ input: server.stdout! }), 'line')) as [string]
  expect(first).toBe(`The example app is at http://127.0.0.1:${port}`)
}

/** What a user of the app does. Returns the id of the portfolio that the app says. */
async function connectWallet(visitor: Page, app: string): Promise<string> {
  await visitor.goto(app)
  const opened = visitor.waitForEvent('popup')
  await visitor.getByRole('button', { name: /^Connect/ }).click()
  const popup = await opened
  await popup.getByRole('link', { name: 'Connect a wallet' }).click()
  await popup.getByLabel('Address').fill(user)
  await popup.getByRole('button', { name: 'Connect the wallet' }).click()
  const said = visitor.getByRole('status').filter({ hasText: `Connected ${user} as ` })
  return /as ([0-9a-f-]{36})/.exec((await said.textContent())!)![1]!
}

const FOLLOW = 'Follow what your users have connected'
const follow = (word: string, more: Record<string, string> = {}) =>
  runBlock({ page, heading: FOLLOW, word, values: { ...values, ...more } })

test('a partner makes a kit, a user connects a wallet in the example app, and its events and figures arrive', async () => {
  const port = await freePort()
  const app = `http://127.0.0.1:${port}`
  await startApp(await makeKit(app), port)

  await follow('/v1/webhooks')
  const { result: endpoints } = await call('GET', '/webhooks')
  const { id } = endpoints.find((one: { url: string }) => one.url.endsWith('/sluice'))
  // The page shows the secret once, to the command that was run: a new one is as good.
  const { secret } = await call('POST', `/webhooks/${id}/rotate`)
  await expect.poll(async () => (await call('GET', `/webhooks/${id}`)).state).toBe('active')

  const chain = `http://127.0.0.1:${readRun(home)!.ports['ethereum']}`
  const value = `0x${(3n * ETHER).toString(16)}`
  await jsonRpc(chain, 'eth_sendTransaction', [{ from: exchanges[0], to: user, value }])
  await jsonRpc(chain, 'evm_mine', [])

  const portfolio = await connectWallet(await newPage({ width: 1_024 }), app)
  const isSynced = ({ body }: { body: string }) => {
    const event = JSON.parse(body) as { type: string; data: { address?: string } }
    return event.type === 'wallet.synced' && event.data.address === user
  }
  await expect.poll(() => got.some(isSynced), { timeout: 300_000, interval: 1_000 }).toBe(true)
  const { body, headers } = got.find(isSynced)!
  expect(new Webhook(secret).verify(body, headers)).toMatchObject({
    data: { address: user, connectionId: 'ethereum' },
  })

  await follow('/portfolio/value', { PORTFOLIO: portfolio })
  const worth = async () => (await call('GET', `/portfolio/value?portfolioId=${portfolio}`)).totalValue
  await expect.poll(worth, { timeout: 300_000, interval: 1_000 }).toBeGreaterThan(0)
  await follow('-X DELETE', { PORTFOLIO: portfolio })
  const { result } = await call('GET', '/portfolio/list')
  expect(result.map((one: { portfolioId: string }) => one.portfolioId)).not.toContain(portfolio)
  await call('DELETE', `/webhooks/${id}`)
  expectNoOffence()
})
