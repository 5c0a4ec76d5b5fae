import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { python as printPython } from '../../api/docs/call-examples.ts'
import { docsOperations } from '../../api/docs/docs-operations.ts'
import { openApiDocument } from '../../api/openapi.ts'
import { recordedCall } from '../../api/recorded-calls.ts'
import { routes } from '../../api/routes.ts'
import { ROOT } from '../../cli/folders.ts'
import { freePort } from '../../cli/supervisor/free-port.ts'
import { createWebhookSecret } from '../../db/values/webhook-signature.ts'
import { mintUsdc } from '../../sandbox/chain/place-usdc.ts'
import { LOST, startFaultProxy } from '../gateway/fault-proxy.ts'
import { documentedProgram } from '../events/documented-programs.ts'
import { startEventsWorld } from '../events/events-world.ts'
import { expectEachEventOnce } from '../events/program-over-breaks.ts'
import { testDatabase } from '../setup/database.ts'
import { startFacilitator } from '../setup/facilitator.ts'
import { insertCoin } from '../setup/factories.ts'
import { startGateway } from '../setup/gateway.ts'
import { query } from '../setup/query.ts'
import { address } from '../setup/wallet-factories.ts'
import { postSigned } from './post-signed.ts'

// The Python package as pip builds and installs it: the programs of its README run against a real API and gateway.

const run = promisify(execFile)
const database = await testDatabase()
const world = await startEventsWorld(database)
const { api } = world
afterAll(world.close)
const { key } = await api.newAccount({ plan: 'pro' })
const API = `http://127.0.0.1:${api.port}/v1`
const facilitator = await startFacilitator()
afterAll(() => facilitator.stop())
const proxy = await startFaultProxy(() => facilitator.url)
afterAll(() => proxy.stop())
// Without a node, only the facilitator tells what became of a payment.
const gateway = await startGateway({ database, routes, facilitatorUrl: proxy.url })
const GATEWAY = `http://127.0.0.1:${gateway.port}`

const folder = mkdtempSync(join(tmpdir(), 'sluice-python-package-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const python = join(folder, 'venv', 'bin', 'python')
const source = join(ROOT, 'clients', 'python')

beforeAll(async () => {
  for (let n = 0; n < 25; n++)
    await insertCoin(api.owner, {
      id: n === 0 ? 'bitcoin' : `coin-${n}`,
      name: n === 0 ? 'Bitcoin' : `Coin ${n}`,
      rank: n + 1,
      priceUsd: '100',
      at: new Date(),
    })
  await query(
    database.ownerUrl,
    `insert into fx_rates (currency, at, per_usd, source, fetched_at) values ('EUR', date_trunc('day', now(), 'UTC'), 0.8, 'test', now())`,
  )
  await run('python3', ['-m', 'venv', join(folder, 'venv')])
  const pip = (...args: string[]) => run(python, ['-m', 'pip', '--quiet', ...args])
  await pip('wheel', '--no-deps', '--wheel-dir', folder, source)
  await pip('install', `${join(folder, 'sluice_client-0.1.0-py3-none-any.whl')}[x402]`, 'mypy==2.4.1')
}, 600_000)

/** The programs of the README, and what each prints; an endpoint prints what it gets. */
const programs = [
  ...readFileSync(join(source, 'README.md'), 'utf8').matchAll(
    /```python\n(.*?)```\n(?:\n```text\n(.*?)```)?/gs,
  ),
].map(([, text, output]) => ({ text: text!, output }))
const endpointProgram = programs.find(({ text }) => text.includes('verify_event'))!
const streamProgram = programs.find(({ text }) => text.includes('stream_events'))!
const ending = programs.filter((one) => one !== endpointProgram && one !== streamProgram)
const documentedStream = documentedProgram({ section: 'Stream', kind: 'python', program: python })

async function printed(text: string, env: Record<string, string> = {}): Promise<string> {
  const file = join(folder, `${randomBytes(6).toString('hex')}.py`)
  writeFileSync(file, text)
  return (await run(python, [file], { env: { API, KEY: key, GATEWAY, ...env } })).stdout
}

async function newWallet(units = 10_000n) {
  const privateKey = generatePrivateKey()
  const { address } = privateKeyToAccount(privateKey)
  await mintUsdc(facilitator.rpc, { to: address, units })
  return { address, env: { PRIVATE_KEY: privateKey } }
}

test('the README has programs for calls, async calls, errors, writes, pages, events, webhooks and payments', () => {
  expect([programs.length, ending.length]).toEqual([8, 6])
})

test.each(ending)('the README says what its program prints: $output', async ({ text, output }) => {
  expect(await printed(text, (await newWallet()).env)).toBe(output)
})

test('the program of docs/events.md gets every event once, also over connections that break before and after the first', () =>
  expectEachEventOnce({ world, client: documentedStream, n: 1 }))

test('the README says what its program prints of an event', async () => {
  const wallet = await world.newWallet(address(2))
  const { accountId, key: ofOwner } = await api.newAccount({ plan: 'pro' })
  await world.connect(accountId, wallet.address)
  let hasEnded = false
  const printing = printed(streamProgram.text, { KEY: ofOwner }).finally(() => (hasEnded = true))
  // The stream begins with what happens once it is open.
  while (!hasEnded) {
    await world.happen(wallet.walletId)
    await sleep(100)
  }
  expect((await printing).replace(/\d+/, '1')).toBe(streamProgram.output)
})

test('the endpoint of the README takes what is signed and refuses what is not', async () => {
  const [secret, other] = [createWebhookSecret(), createWebhookSecret()]
  const port = await freePort()
  const file = join(folder, 'endpoint.py')
  writeFileSync(file, endpointProgram.text)
  const env = { WEBHOOK_SECRET: secret, PORT: String(port), PYTHONUNBUFFERED: '1' }
  const endpoint = spawn(python, [file], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    let shown = ''
    endpoint.stdout.on('data', (part: Buffer) => (shown += String(part)))
    const url = `http://127.0.0.1:${port}`
    await expect
      .poll(() =>
        fetch(url).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(501)
    expect(await postSigned(url, { secrets: [secret] })).toBe(204)
    expect(await postSigned(url, { secrets: [other] })).toBe(400)
    expect(await postSigned(url, { secrets: [secret], ageS: 600 })).toBe(400)
    // After a rotation.
    expect(await postSigned(url, { secrets: [other, secret] })).toBe(204)
    await expect
      .poll(() => shown.trim().split('\n'))
      .toEqual([
        'coin.price is from Sluice',
        'refused: No signature is right',
        'refused: The request is too old, or the clock of this machine is wrong',
        'coin.price is from Sluice',
      ])
  } finally {
    endpoint.kill()
  }
})

const CLIENTS = {
  Sluice: (calls: string) => `
from concurrent.futures import ThreadPoolExecutor
import os, httpx
from sluice_client import *
statuses = []
http = httpx.Client(event_hooks={"response": [lambda response: statuses.append(response.status_code)]})
def both(call):
    with ThreadPoolExecutor(2) as pool:
        return [task.result() for task in [pool.submit(call), pool.submit(call)]]
sluice = Sluice(os.environ.get("URL", os.environ["API"]), os.environ["KEY"], http=http)
${calls}`,
  AsyncSluice: (calls: string) => `
import asyncio, os, httpx
from sluice_client import *
statuses = []
async def note(response):
    statuses.append(response.status_code)
async def main():
    http = httpx.AsyncClient(event_hooks={"response": [note]})
    async def both(call):
        return await asyncio.gather(call(), call())
    sluice = AsyncSluice(os.environ.get("URL", os.environ["API"]), os.environ["KEY"], http=http)
    ${calls
      .replaceAll(/(both|sluice\.get_\w+)\(/g, 'await $1(')
      .replaceAll(/for (coin|event) in/g, 'async for $1 in')
      .replaceAll('\n', '\n    ')}
asyncio.run(main())`,
}

describe.each(Object.entries(CLIENTS))('%s', (_name, program) => {
  test('waits as long as Retry-After says, and slows down where RateLimit says that nothing is left', async () => {
    const { key: slow } = await api.newAccount({ plan: 'pro', requestsPerSecond: 1 })
    const text = program(`answers = both(sluice.get_fiats)
print(len(answers), sorted(statuses))
statuses.clear()
coins = [coin["id"] for coin in sluice.iter_coins(limit=10)]
print(len(coins), statuses)`)
    expect(await printed(text, { KEY: slow })).toBe('2 [200, 200, 429]\n25 [200, 200, 200]\n')
  })

  test('asks again after a connection that broke, and not longer than allowed', async () => {
    let toCut = 2
    const relay = createServer((socket) => {
      if (toCut-- > 0) return void socket.destroy()
      socket.pipe(connect(api.port, '127.0.0.1')).pipe(socket)
    }).listen(0, '127.0.0.1')
    await once(relay, 'listening')
    const URL = `http://127.0.0.1:${(relay.address() as AddressInfo).port}/v1`
    expect(await printed(program(`answer = sluice.get_fiats()\nprint(len(answer.data))`), { URL })).toBe(
      '2\n',
    )
    toCut = 3
    const refused = program(`try:
    sluice.get_fiats()
except httpx.TransportError:
    print("lost")`)
    expect(await printed(refused, { URL })).toBe('lost\n')
    relay.close()
  })

  test('spent credits are no rate limit, and are not asked for again', async () => {
    const { key: poor } = await api.newAccount({ plan: 'pro', credits: 1 })
    const text = program(`try:
    sluice.get_tickers_exchanges()
except CreditsSpent as error:
    print(error, statuses)`)
    expect(await printed(text, { KEY: poor })).toBe('Insufficient credits for this request [429]\n')
  })
})

describe.each(Object.entries(CLIENTS))('the event stream of %s', (_name, program) => {
  test('goes on after what the service said last, waits as long as Retry-After says, and ends where waiting does not help', async () => {
    // Python and httpx take U+2028 for an end of line, JSON does not.
    const event = (seq: number) =>
      `id: ${seq}\nevent: test.ping\ndata: ${JSON.stringify({ id: `evt_${seq}`, type: 'test.ping', seq: String(seq), data: { endpointId: 'x\u2028y' } })}\n\n`
    const answers: [number, Record<string, string>, string][] = [
      [200, {}, 'retry: 3000\nid: 6\n\n'],
      [429, { 'retry-after': '5' }, '{"message":"Rate limit exceeded"}'],
      [200, {}, `retry: 3000\nid: 6\n\n${event(7)}${event(8)}id: 9\neve`],
      [503, { 'retry-after': '0' }, 'busy'],
      [200, {}, `retry: 3000\nid: 8\n\n: alive\n\n${event(8)}${event(10)}`],
      [410, {}, '{"message":"Events after 10 are gone"}'],
    ]
    const asked: { url: string; after: string | undefined; atMs: number }[] = []
    const server = createHttpServer((request, response) => {
      const after = request.headers['last-event-id'] as string | undefined
      asked.push({ url: request.url!, after, atMs: performance.now() })
      const [status, headers, body] = answers[asked.length - 1]!
      response.writeHead(status, { 'content-type': 'text/event-stream', ...headers })
      // The third connection breaks in the midst of an event, the others end.
      if (asked.length === 3) response.write(body, () => response.destroy())
      else response.end(body)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`
    const text = program(`try:
    for event in sluice.stream_events(types=["test.ping", "coin.price"], addresses=["a", "b"]):
        print(event["seq"], ascii(event["data"]["endpointId"]))
except Gone as error:
    print(error, error.status)`)
    expect(await printed(text, { URL })).toBe(
      ['7', '8', '10'].map((seq) => `${seq} 'x\\u2028y'\n`).join('') + 'Events after 10 are gone 410\n',
    )
    server.close()
    expect(asked.map(({ after }) => after)).toEqual([undefined, '6', '6', '8', '8', '10'])
    expect(asked[2]!.atMs - asked[1]!.atMs).toBeGreaterThanOrEqual(4_990)
    expect(asked[0]!.url).toBe('/v1/events/stream?types=test.ping%2Ccoin.price&addresses=a%2Cb')
  })

  test('is refused by the API with a wrong key, type, wallet or number, and does not try an address that is none', async () => {
    const text =
      program(`for wanted in [{"types": ["nothing"]}, {"addresses": ["nowhere"]}, {"after": "9" * 15}]:
    try:
        for event in sluice.stream_events(**wanted):
            print(event)
    except SluiceError as error:
        print(type(error).__name__, error.status)`)
    expect(await printed(text)).toBe('InvalidRequest 400\n'.repeat(3))
    const one = program(`try:
    for event in sluice.stream_events():
        print(event)
except (SluiceError, httpx.UnsupportedProtocol) as error:
    print(type(error).__name__)`)
    expect(await printed(one, { KEY: 'sl_wrong' })).toBe('Unauthorized\n')
    expect(await printed(one, { URL: 'nowhere' })).toBe('UnsupportedProtocol\n')
  })
})

test('a payment whose outcome is unknown is sent again, and paid once', async () => {
  const wallet = await newWallet()
  proxy.plan('settle', LOST['a cut connection']!(true))
  const pay = ending.find(({ text }) => text.includes('x402_payer'))!
  const settled = proxy.calls['settle']!
  expect(await printed(pay.text, wallet.env)).toBe(pay.output)
  expect(proxy.calls['settle']! - settled).toBeGreaterThan(1)
  expect(await facilitator.usdcOf(wallet.address)).toBe(9_000n)
})

test('more than max_usd is not paid', async () => {
  const wallet = await newWallet()
  const pay = ending.find(({ text }) => text.includes('x402_payer'))!
  const thrifty = pay.text.replace('"0.01"', '"0.0001"')
  await expect(printed(thrifty, wallet.env)).rejects.toThrow(/max|amount|spend/i)
  expect(await facilitator.usdcOf(wallet.address)).toBe(10_000n)
})

test('the wheel is typed: mypy takes right calls only, and no name is longer than 40 characters', async () => {
  await run(python, ['-m', 'mypy', '--strict', '-p', 'sluice_client'], { cwd: folder })
  const installed = join(folder, 'venv', 'lib', readdirSync(join(folder, 'venv', 'lib'))[0]!, 'site-packages')
  const files = readdirSync(join(installed, 'sluice_client'), { recursive: true, encoding: 'utf8' })
  const modules = files.filter((file) => file.endsWith('.py'))
  expect(modules.length).toBeLessThan(300)
  const texts = modules.map((file) => readFileSync(join(installed, 'sluice_client', file), 'utf8'))
  const names = texts.flatMap((text) => [
    ...text.matchAll(/^ *(?:async def|def|class) (\w+)|^(\w+)(?:: TypeAlias)? = /gm),
  ])
  expect(names.length).toBeGreaterThan(500)
  expect(names.map(([, name, other]) => name ?? other!).filter((name) => name.length > 40)).toEqual([])
  // A method for each operation that answers with JSON.
  const operations = Object.values(openApiDocument(routes).paths).flatMap((item) =>
    Object.values(item as object),
  )
  const methods = texts.join('').match(/^ {4}def (?:get|post|put|patch|delete)_\w+/gm)!
  expect(methods.length).toBe(operations.length - 1)

  const wrong = join(folder, 'wrong.py')
  writeFileSync(
    wrong,
    `from sluice_client import Sluice
sluice = Sluice("")
name: str = sluice.get_coin(coinId="bitcoin").data["name"]
names: list[str] = [coin["name"] for coin in sluice.iter_coins(limit=10)]
sluice.get_coin(coin="bitcoin")
sluice.get_coins(sortDir="up")
sluice.get_coin(coinId="bitcoin").data["nmae"]
for event in sluice.stream_events(types=["wallet.balance"]):
    if event["type"] == "wallet.balance":
        amount: str = event["data"]["amount"]
sluice.stream_events(types=["wallet.balances"])
`,
  )
  const { stdout } = await run(python, ['-m', 'mypy', '--strict', wrong]).catch(
    (error: { stdout: string }) => error,
  )
  expect([...stdout.matchAll(/wrong\.py:(\d+): error/g)].map(([, line]) => Number(line))).toEqual([
    5, 6, 7, 11,
  ])
})

test('the examples of the reference in Python are right calls, and give what the API answers', async () => {
  const examples = docsOperations(openApiDocument(routes)).map((of) => {
    const id = of.operation.operationId
    return { id, text: printPython(of, recordedCall(id)!) }
  })
  const files = examples.map(({ id, text }) => {
    const file = join(folder, `example_${id}.py`)
    writeFileSync(file, text)
    return file
  })
  expect(files.length).toBeGreaterThan(100)
  const { stdout } = await run(python, ['-m', 'mypy', '--strict', '--scripts-are-modules', ...files])
  expect(stdout).toContain('Success')
  for (const [id, path] of [
    ['getCoin', '/coins/bitcoin'],
    ['getFiats', '/fiats'],
  ] as const) {
    const { text } = examples.find((one) => one.id === id)!
    const asJson = text.replace('print(answer.data)', 'import json; print(json.dumps(answer.data))')
    expect(JSON.parse(await printed(asJson))).toEqual(await (await api.get(path, key)).json())
  }
})
