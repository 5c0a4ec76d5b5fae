import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { query } from '../setup/query.ts'
import { addresses, log, NETWORKS, startWorld, type World } from './chaos-world.ts'
import { blackHole, dripping, type Toxic } from './toxiproxy.ts'
import { loadText, UNAVAILABLE, underLoad } from './under-load.ts'

// Postgres, Temporal and upstreams are unreachable, in every way in which a network fails.

/** Longer outages use the same code paths. */
const TEMPORAL_AWAY_MS = 75_000
const DATABASE_AWAY_MS = 4_000
const COINS = '/coins?limit=5'

let world: World
beforeAll(async () => {
  world = await startWorld()
}, 600_000)
afterAll(() => world?.stop())

async function coinsWithin(signal: AbortSignal) {
  const startMs = performance.now()
  const response = await fetch(`${world.apiUrl}${COINS}`, { headers: { 'x-api-key': world.key }, signal })
  return {
    status: response.status,
    body: (await response.json()) as unknown,
    ms: performance.now() - startMs,
  }
}

async function untilServed(): Promise<number> {
  const startMs = performance.now()
  while ((await coinsWithin(AbortSignal.timeout(5_000))).status !== 200) await sleep(50)
  return performance.now() - startMs
}

const outages: [string, { begin: () => Promise<void>; end: () => Promise<void> }][] = [
  [
    'refuses connections',
    { begin: () => world.links['api-postgres'].cut(true), end: () => world.links['api-postgres'].cut(false) },
  ],
  ['is silent', toxic(blackHole)],
  ['resets connections', toxic({ type: 'reset_peer', attributes: { timeout: 0 } })],
]

function toxic(what: Toxic) {
  return {
    begin: () => world.links['api-postgres'].poison(what),
    end: () => world.links['api-postgres'].heal(),
  }
}

test.each(outages)(
  'A2 Postgres %s: 503 within a second, answers again within five, every answer is charged',
  async (name, { begin, end }) => {
    const pid = world.parts.api.pid()
    const before = await world.expectBooks()
    let backMs = 0
    const load = await underLoad(coinsWithin, async () => {
      await begin()
      await sleep(DATABASE_AWAY_MS)
      await end()
      backMs = await untilServed()
    })
    log(`A2 Postgres ${name}: ${loadText(load)}, back after ${Math.round(backMs)} ms`)
    expect(load.broken).toEqual({})
    expect(load.refused.length).toBeGreaterThan(10)
    for (const { status, body } of load.refused)
      expect({ status, body }).toEqual({ status: 503, body: UNAVAILABLE })
    // The promise is one second; the rest is the load of 32 clients on the same two cores. With a silent
    // server some requests take longer: they wait for a connection and then for a new one, each up to its
    // limit.
    expect(load.slowestMs.refused).toBeLessThan(name === 'is silent' ? 2_000 : 1_300)
    expect(backMs).toBeLessThan(5_000)
    expect(world.parts.api.pid()).toBe(pid)
    // The pool has replaced every lost connection, so throughput is back.
    const after = await underLoad(coinsWithin, () => sleep(1_000))
    expect(after.refused).toEqual([])
    expect(after.slowestMs.ok).toBeLessThan(2_000)
    expect((await world.expectBooks()) - before).toBeGreaterThanOrEqual(load.ok + after.ok)
  },
  120_000,
)

test('A2 a slow connection to Postgres costs only time', async () => {
  await world.links['api-postgres'].poison({ type: 'latency', attributes: { latency: 20 } })
  const load = await underLoad(coinsWithin, () => sleep(4_000))
  await world.links['api-postgres'].heal()
  log(`A2 Postgres 20 ms away: ${loadText(load)}`)
  expect(load.refused).toEqual([])
  expect(load.broken).toEqual({})
})

test('A1 Temporal is down: reads are served, and an accepted sync runs when it is back', async () => {
  const [running, waiting] = [addresses[0]!, addresses[1]!]
  const pid = world.parts.worker.pid()
  // One sync is running when the connection is cut.
  await world.requestSync(running)
  while ((await query(world.url, 'select 1 from wallet_syncs')).length === 0) await sleep(20)
  await world.links['worker-temporal'].cut(true)
  const awayMs = Date.now()

  expect(await world.requestSync(waiting)).toMatchObject({ status: 200, body: { status: 'syncing' } })
  const load = await underLoad(coinsWithin, () => sleep(5_000))
  log(`A1 reads while Temporal is down: ${loadText(load)}`)
  expect({ refused: load.refused, broken: load.broken }).toEqual({ refused: [], broken: {} })
  await sleep(TEMPORAL_AWAY_MS - (Date.now() - awayMs))
  const messages = () =>
    query<{ sent: boolean }>(world.url, 'select dispatched_at is not null as sent from outbox order by id')
  expect((await messages()).slice(-NETWORKS.length).map(({ sent }) => sent)).toEqual([false, false])
  const status = `/wallet/status?address=${waiting}&connectionId=${NETWORKS.join(',')}`
  expect(await world.ask(status)).toMatchObject({ status: 200, body: { status: 'syncing' } })

  await world.links['worker-temporal'].cut(false)
  const seconds = await world.untilSynced(2 * NETWORKS.length)
  log(`A1 both wallets are synced ${seconds} s after Temporal came back`)
  expect((await messages()).every(({ sent }) => sent)).toBe(true)
  expect(await world.ask(status)).toMatchObject({ status: 200, body: { status: 'synced' } })
  expect(world.parts.worker.pid()).toBe(pid)
  await world.expectTransfers([running, waiting])
}, 400_000)

test('A2 the worker survives a silent Postgres and continues without a restart', async () => {
  const address = addresses[2]!
  const pid = world.parts.worker.pid()
  await world.requestSync(address)
  const begun = () =>
    query(world.url, 'select from wallet_syncs join wallets on id = wallet_id where address = $1', [address])
  while ((await begun()).length === 0) await sleep(5)
  await world.links['worker-postgres'].poison(blackHole)
  await sleep(10_000)
  await world.links['worker-postgres'].heal()
  const seconds = await world.untilSynced(3 * NETWORKS.length)
  log(`A2 the wallet is synced ${seconds} s after the worker's Postgres came back`)
  expect(seconds).toBeLessThan(180)
  expect(world.parts.worker.pid()).toBe(pid)
  await world.expectTransfers([address])
}, 400_000)

const upstreamFaults: [string, number, Toxic][] = [
  ['one byte per second', 3, dripping],
  ['resets', 4, { type: 'reset_peer', attributes: { timeout: 0 } }],
  ['truncated answers', 5, { type: 'limit_data', attributes: { bytes: 700 } }],
]

test.each(upstreamFaults)(
  'Y8 a node with %s: its syncs wait, those of other networks continue, and nothing is lost',
  async (name, which, fault) => {
    const address = addresses[which]!
    await world.links['worker-ethereum'].poison(fault)
    await world.requestSync(address)
    const others = await world.untilSynced(which + 1, ['base-wallet'])
    log(`Y8 ${name}: the other network is synced after ${others} s`)
    expect(others).toBeLessThan(60)
    const synced = () =>
      query(
        world.url,
        `select 1 from wallet_syncs join wallets on id = wallet_id
         where address = $1 and network_id = 'ethereum' and synced_at is not null`,
        [address],
      )
    // A request to a node times out after 20 s.
    let failure: string | null = null
    for (let i = 0; i < 60 && failure === null; i++, await sleep(1_000))
      failure = await world.lastFailure(address, 'ethereum')
    log(`Y8 ${name}: retried because of "${failure}"`)
    expect(failure).toMatch(/ethereum/)
    expect(await synced()).toEqual([])
    await world.links['worker-ethereum'].heal()
    const seconds = await world.untilSynced((which + 1) * NETWORKS.length)
    log(`Y8 ${name}: synced ${seconds} s after the node recovered`)
    await world.expectTransfers([address])
  },
  500_000,
)

test('Y1, Y8 at the end the wallet tables equal those of a run without faults', async () => {
  await world.expectBooks()
  await world.expectUndisturbed(addresses.slice(0, 6))
}, 300_000)
