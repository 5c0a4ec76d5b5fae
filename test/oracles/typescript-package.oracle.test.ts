import { execFile, spawn } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { findChromium } from '../../cli/find-chromium.ts'
import { ROOT } from '../../cli/folders.ts'
import { createWebhookSecret } from '../../db/values/webhook-signature.ts'
import { mintUsdc } from '../../sandbox/chain/place-usdc.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { startFacilitator } from '../setup/facilitator.ts'
import { insertCoin } from '../setup/factories.ts'
import { startGateway } from '../setup/gateway.ts'
import { query } from '../setup/query.ts'
import { postSigned } from './post-signed.ts'

// The package as npm packs it, in the runtimes that it names: its examples run against a real API and gateway.

const run = promisify(execFile)
const database = await testDatabase()
const api = await startApi({ database, routes })
const { key } = await api.newAccount({ plan: 'pro' })
const API = `http://127.0.0.1:${api.port}/v1`
const facilitator = await startFacilitator()
const gateway = await startGateway({
  database,
  routes,
  facilitatorUrl: facilitator.url,
  rpcUrl: facilitator.rpcUrl,
})
const folder = await mkdtemp(join(tmpdir(), 'sluice-package-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
afterAll(() => facilitator.stop())
const examples = join(folder, 'node_modules', 'sluice-client', 'examples')
const WEBHOOK_SECRET = createWebhookSecret()

beforeAll(async () => {
  for (let n = 0; n < 25; n++)
    await insertCoin(api.owner, {
      id: n === 0 ? 'bitcoin' : `coin-${n}`,
      rank: n + 1,
      priceUsd: '100',
      at: new Date(),
    })
  await query(
    database.ownerUrl,
    `insert into fx_rates (currency, at, per_usd, source, fetched_at) values ('EUR', date_trunc('day', now(), 'UTC'), 0.8, 'test', now())`,
  )
  const source = join(ROOT, 'clients', 'typescript')
  const path = `${join(ROOT, 'node_modules', '.bin')}:${process.env['PATH']}`
  await run('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: source,
    env: { ...process.env, PATH: path },
  })
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  const packages = [
    './sluice-client-0.1.0.tgz',
    '@x402/core@2.27.0',
    '@x402/evm@2.27.0',
    'viem@2.57.0',
    'typescript@5.9.3',
  ]
  await run('npm', ['install', '--silent', '--no-audit', '--no-fund', ...packages], { cwd: folder })
})

/** Runs an example of the installed package and returns what it printed. */
async function example(
  name: string,
  runtime: readonly string[],
  env: Record<string, string>,
): Promise<string> {
  const [program, ...args] = runtime
  const { stdout } = await run(program!, [...args, join(examples, name)], {
    cwd: folder,
    env: { ...process.env, ...env },
  })
  return stdout.trim()
}

const RUNTIMES = [
  ...[18, 20, 22, 24].map(
    (version) => [`Node ${version}`, ['npx', '--yes', '--package', `node@${version}`, 'node']] as const,
  ),
  [
    'Deno 2',
    ['npx', '--yes', '--package', 'deno@2.9.6', 'deno', 'run', '--allow-all', '--node-modules-dir=manual'],
  ] as const,
]

test.each(RUNTIMES)('%s: a call, a typed error, and every item of a list', async (_name, runtime) => {
  expect(await example('first-call.mjs', runtime, { API, KEY: key })).toBe(
    "bitcoin 100, 2 credits\nnot-found: Coin with id 'no-such-coin' not found",
  )
  expect(await example('every-coin.mjs', runtime, { API, KEY: key })).toBe('first: bitcoin\n25 coins')
})

test.each(RUNTIMES.filter(([name]) => name.startsWith('Node 2')))(
  '%s: a call that is paid',
  async (_name, runtime) => {
    const privateKey = generatePrivateKey()
    await mintUsdc(facilitator.rpc, { to: privateKeyToAccount(privateKey).address, units: 10_000n })
    const env = { GATEWAY: `http://127.0.0.1:${gateway.port}`, PRIVATE_KEY: privateKey }
    expect(await example('pay.mjs', runtime, env)).toBe('2 currencies, receipt: true')
  },
)

test('an endpoint takes what is signed and refuses what is not', async () => {
  const endpoint = spawn('node', [join(examples, 'verify-webhook.mjs'), '0'], {
    cwd: folder,
    env: { ...process.env, WEBHOOK_SECRET },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    let printed = ''
    endpoint.stdout.on('data', (part: Buffer) => (printed += String(part)))
    await expect.poll(() => printed).toMatch(/listening on \d+/)
    const url = `http://127.0.0.1:${/listening on (\d+)/.exec(printed)![1]}`
    expect(await postSigned(url, { secrets: [WEBHOOK_SECRET] })).toBe(204)
    expect(await postSigned(url, { secrets: [createWebhookSecret()] })).toBe(400)
    expect(printed).toContain('coin.price is from Sluice\nrefused: No signature is right')
  } finally {
    endpoint.kill()
  }
})

test('types: a program compiles against the package alone, and a wrong call does not', async () => {
  await writeFile(
    join(folder, 'typed.ts'),
    `import { createSluiceClient, eachItem, type SluiceError } from 'sluice-client'
const sluice = createSluiceClient({ url: '' })
export const names: Promise<string[]> = (async () => {
  const found: string[] = []
  for await (const coin of eachItem(sluice, '/coins', { params: { query: { limit: 10 } } })) found.push(coin.name)
  return found
})()
export const isRate = (error: SluiceError): boolean => error.kind === 'rate'
// @ts-expect-error The path does not exist.
void sluice.GET('/no-such-path')
// @ts-expect-error This list has no pages.
void eachItem(sluice, '/fiats')
`,
  )
  const flags = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom']
  const compiled = await run('npx', ['tsc', ...flags, 'typed.ts'], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  )
  expect(compiled.stdout).toBe('')
})

test('a browser imports the package as it is and verifies an event', async () => {
  const dist = join(folder, 'node_modules', 'sluice-client', 'dist')
  const server = createServer((request, response) => {
    const isPage = request.url === '/'
    response.writeHead(200, { 'content-type': isPage ? 'text/html' : 'text/javascript' })
    if (isPage) response.end('<!doctype html><link rel="icon" href="data:,">')
    else createReadStream(join(dist, request.url!)).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const found = await findChromium({ env: process.env, log: console.log })
  const browser = await chromium.launch({ executablePath: found, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    const result = await page.evaluate(`import('/index.js').then(async (client) => {
      const asked = []
      const sluice = client.createSluiceClient({ url: 'https://api.example/v1', fetch: async (url) => {
        asked.push(url)
        return new Response('{"message":"Rate limit exceeded"}', { status: 429, headers: { 'retry-after': '99' } })
      } })
      const error = await sluice.GET('/coins', { params: { query: { limit: 5 } } }).catch((one) => one)
      const refused = await client.verifyEvent({ body: '{}', headers: {}, secret: 'whsec_AAAA' }).catch((one) => one.name)
      return [asked, error.kind, error.retryAfterS, refused]
    })`)
    expect(result).toEqual([['https://api.example/v1/coins?limit=5'], 'rate', 99, 'UnverifiedEvent'])
  } finally {
    await browser.close()
    server.close()
  }
})
