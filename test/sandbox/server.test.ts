import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFaults } from '../../sandbox/faults.ts'
import { createSandboxServer } from '../../sandbox/server.ts'
import { createWorld } from '../../sandbox/world.ts'
import { now } from './call.ts'

let server: Server
let base: string

beforeAll(async () => {
  const mounts = createWorld({ seed: 7, anchor: now, rpcUrls: [] })
  server = createSandboxServer({ mounts, faults: createFaults(), nowMs: () => now * 1000 })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const bitcoin = '/coingecko/api/v3/simple/price?ids=bitcoin&vs_currencies=usd'
const fault = (body: object): Promise<Response> =>
  fetch(`${base}/faults`, { method: 'POST', body: JSON.stringify(body) })
const price = async (): Promise<unknown> => ((await (await fetch(base + bitcoin)).json()) as any).bitcoin.usd

test('serves /health and each upstream below its base', async () => {
  expect((await fetch(`${base}/health`)).status).toBe(200)
  expect((await fetch(`${base}/frankfurter/v1/latest`)).status).toBe(200)
  expect((await fetch(`${base}/coinpaprika/v1/tickers/btc-bitcoin`)).status).toBe(200)
  expect((await fetch(`${base}/nothing`)).status).toBe(404)
})

test('a fault affects the given number of requests', async () => {
  await fault({ source: 'coingecko', kind: 'rate_limit', count: 2 })
  const replies = [await fetch(base + bitcoin), await fetch(base + bitcoin), await fetch(base + bitcoin)]
  expect(replies.map((r) => r.status)).toEqual([429, 429, 200])
  expect(replies[0]!.headers.get('retry-after')).toBe('1')
})

test('a fault affects only its source and matching requests', async () => {
  await fault({ source: 'coingecko', kind: 'error', match: 'market_chart', count: 1 })
  expect((await fetch(base + bitcoin)).status).toBe(200)
  expect((await fetch(`${base}/coinpaprika/v1/global`)).status).toBe(200)
  const chart = '/coingecko/api/v3/coins/bitcoin/market_chart?vs_currency=usd&days=1'
  expect((await fetch(base + chart)).status).toBe(500)
})

test('a lie changes prices or times', async () => {
  const honest = (await price()) as number
  await fault({ source: 'coingecko', kind: 'lie', lie: 'jump', count: 1 })
  expect(await price()).toBeCloseTo(honest * 40, 0)
  await fault({ source: 'coingecko', kind: 'lie', lie: 'negative', count: 1 })
  expect(await price()).toBe(-honest)
  await fault({ source: 'coingecko', kind: 'lie', lie: 'nan', count: 1 })
  expect(await price()).toBe('NaN')
  await fault({ source: 'coingecko', kind: 'lie', lie: 'stale', count: 1 })
  const markets = await fetch(`${base}/coingecko/api/v3/coins/markets?vs_currency=usd&per_page=1`)
  const [row] = (await markets.json()) as { last_updated: string }[]
  expect(Date.parse(row!.last_updated)).toBeLessThan((now - 2 * 86_400) * 1000)
})

test('sends an HTML page, half a body, and the 365-day refusal', async () => {
  await fault({ source: 'coingecko', kind: 'malformed', count: 1 })
  expect((await fetch(base + bitcoin)).headers.get('content-type')).toBe('text/html')
  await fault({ source: 'coingecko', kind: 'truncate', count: 1 })
  await expect((await fetch(base + bitcoin)).json()).rejects.toThrow(SyntaxError)
  await fault({ source: 'coingecko', kind: 'history_limit', count: 1 })
  expect(await (await fetch(base + bitcoin)).json()).toMatchObject({
    error: { status: { error_code: 10012 } },
  })
})

test('a rate limit of etherscan has status 200 and a text', async () => {
  await fault({ source: 'etherscan', kind: 'rate_limit', count: 1 })
  const reply = await fetch(`${base}/etherscan/v2/api?chainid=1`)
  expect(reply.status).toBe(200)
  expect(await reply.json()).toMatchObject({
    status: '0',
    message: 'NOTOK',
    result: expect.stringContaining('rate limit'),
  })
})

test('a slow fault delays the answer', async () => {
  await fault({ source: 'coingecko', kind: 'slow', delayMs: 150, count: 1 })
  const begin = performance.now()
  expect((await fetch(base + bitcoin)).status).toBe(200)
  expect(performance.now() - begin).toBeGreaterThan(140)
})

test('refuses unknown faults, and DELETE removes all', async () => {
  expect((await fault({ source: 'coingecko', kind: 'explode', count: 1 })).status).toBe(400)
  expect((await fault({ source: 'coingecko', kind: 'error', count: 0 })).status).toBe(400)
  await fault({ source: 'coingecko', kind: 'error', count: 9 })
  await fetch(`${base}/faults`, { method: 'DELETE' })
  expect((await fetch(base + bitcoin)).status).toBe(200)
})
