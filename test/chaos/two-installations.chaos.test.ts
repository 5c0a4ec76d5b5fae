import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { RECEIVER_PORT } from '../../cli/specs/webhooks.ts'
import { readRun } from '../../cli/supervisor/run-file.ts'
import { sluiceOn } from '../cli/sluice-on.ts'
import { freePort } from '../../cli/supervisor/free-port.ts'
import { query } from '../setup/query.ts'
import { databaseUrlOf, type RunningSluice, startSluice } from '../start/running.ts'

// Two installations on one machine want the same ports, and other programs take the ports of parts that died.

let both: RunningSluice[] = []

beforeAll(async () => {
  const env = { API_PORT: String(await freePort()) }
  const starts = await Promise.allSettled([startSluice({ env }), startSluice({ env })])
  both = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  for (const start of starts) if (start.status === 'rejected') throw start.reason
}, 900_000)
afterAll(() => Promise.all(both.map(({ stop }) => stop())))

const HEALTH = {
  api: '/v1/status',
  gateway: '/openapi.json',
  facilitator: '/supported',
  issuer: '/.well-known/openid-configuration',
  sandbox: '/health',
  'metrics-api': '/healthz',
  'metrics-gateway': '/healthz',
  'metrics-worker': '/healthz',
}

const runOf = ({ home }: RunningSluice) => readRun(home)!

/** The environment of a running part. */
function toldTo(sluice: RunningSluice, part: string): Record<string, string> {
  const { pid } = runOf(sluice).children[part]!
  const lines = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean)
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s) as [string, string]))
}

/** Every local port in the environment of a part, including the database ports. */
const portsToldTo = (sluice: RunningSluice, part: string) =>
  new Set(
    Object.values(toldTo(sluice, part)).flatMap((value) =>
      [...value.matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port]) => Number(port)),
    ),
  )

async function expectOwnServices(sluice: RunningSluice): Promise<void> {
  const { installation, ports } = runOf(sluice)
  for (const [name, path] of Object.entries(HEALTH)) {
    const response = await fetch(`http://127.0.0.1:${ports[name]}${path}`)
    await response.body?.cancel()
    expect([name, response.headers.get('x-installation-id')]).toEqual([name, installation])
  }
}

/**
 * Makes a paid call, which succeeds only if gateway, facilitator, chain and database belong to one
 * installation.
 */
async function expectPaidCall({ home }: RunningSluice, limit: number): Promise<void> {
  const database = databaseUrlOf(home)
  const settled = async () =>
    (
      await query<{ n: number }>(database, `select count(*)::int as n from payments where state = 'settled'`)
    )[0]!.n
  const before = await settled()
  const { status, stdout } = sluiceOn({ SLUICE_HOME: home })('pay', `/coins?limit=${limit}`, '--json')
  expect([status, JSON.parse(stdout)]).toMatchObject([0, { status: 200, receipt: { success: true } }])
  expect(await settled()).toBe(before + 1)
}

test('A8 each installation has its own ports, facilitator, simulator and chains', async () => {
  const [one, other] = both.map((sluice) => Object.values(runOf(sluice).ports)) as [number[], number[]]
  expect(one.filter((port) => other.includes(port))).toEqual([])
  expect(runOf(both[0]!).installation).not.toBe(runOf(both[1]!).installation)
  for (const sluice of both) {
    await expectOwnServices(sluice)
    // Nobody's: where a user may start a receiver of webhooks.
    const own = new Set([...Object.values(runOf(sluice).ports), RECEIVER_PORT])
    for (const part of ['api', 'worker', 'gateway', 'facilitator', 'sandbox']) {
      const told = portsToldTo(sluice, part)
      expect(told.size).toBeGreaterThan(0)
      expect([...told].filter((port) => !own.has(port))).toEqual([])
    }
    await expectPaidCall(sluice, 1)
  }
})

describe.each(['facilitator', 'sandbox', 'postgres', 'gateway', 'temporal'])('%s', (part) => {
  test('A8 moves to another port if a program takes its port while it is down, and all its users follow', async () => {
    const sluice = both[0]!
    const lost = runOf(sluice).ports[part]!
    const stranger = createServer((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'))
    try {
      process.kill(runOf(sluice).children[part]!.pid, 'SIGKILL')
      for (const end = Date.now() + 5_000; !stranger.listening && Date.now() < end; await sleep(1)) {
        stranger.once('error', () => {}).listen({ port: lost, host: '127.0.0.1' })
        await Promise.race([once(stranger, 'listening').catch(() => {}), sleep(20)])
      }
      expect(stranger.listening).toBe(true)
      await vi.waitFor(
        async () => {
          const moved = runOf(sluice).ports[part]!
          expect(moved).not.toBe(lost)
          for (const user of ['api', 'worker', 'gateway']) {
            expect(portsToldTo(sluice, user)).not.toContain(lost)
            expect(portsToldTo(sluice, user)).toContain(moved)
          }
          await expectOwnServices(sluice)
          await expectPaidCall(sluice, lost % 100)
          const { status, stdout } = sluiceOn({ SLUICE_HOME: sluice.home })('status', '--json')
          const { services } = JSON.parse(stdout) as { services: { name: string; port: number }[] }
          expect([status, services.find(({ name }) => name === part)?.port]).toEqual([0, moved])
        },
        { timeout: 90_000, interval: 1_000 },
      )
      expect(sluice.output()).toContain(`port ${lost} (${part}) was taken by another program`)
      await expectPaidCall(both[1]!, lost % 100)
    } finally {
      stranger.close()
    }
  })
})
