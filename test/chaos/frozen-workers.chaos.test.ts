import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { KeptAlive } from '../crash/keep-alive.ts'
import { query } from '../setup/query.ts'
import { addresses, log, NETWORKS, startWorld, type World } from './chaos-world.ts'
import { limitMemory } from './memory-limit.ts'

// Two workers. One freezes, or runs out of memory, or meets rows that cannot be stored.

let world: World
let second: KeptAlive
/** Number of wallets requested so far. Each test takes the next ones. */
let asked = 0

beforeAll(async () => {
  world = await startWorld()
  second = await world.startSecondWorker()
}, 600_000)
afterAll(() => world?.stop())

/** Requests syncs of the next wallets and waits until one has begun. */
async function beginSyncs(count: number): Promise<string[]> {
  const next = addresses.slice(asked, asked + count)
  asked += count
  const begun = () => query(world.url, 'select 1 from wallet_syncs')
  const before = (await begun()).length
  for (const address of next) expect(await world.requestSync(address)).toMatchObject({ status: 200 })
  while ((await begun()).length === before) await sleep(5)
  return next
}

/**
 * The second freeze exceeds the heartbeat timeout: the other worker retries an activity that the frozen one
 * later continues.
 */
const FREEZES: [number, string][] = [
  [30, 'continues'],
  [75, 'continues work that the other one has done meanwhile'],
]

test.each(FREEZES)(
  'A6 a worker that freezes for %d s and %s stores nothing twice',
  async (seconds, _end) => {
    const frozen = world.parts.worker
    const pid = frozen.pid()
    const wallets = await beginSyncs(3)
    process.kill(pid, 'SIGSTOP')
    const stoppedMs = Date.now()
    await sleep(seconds * 1_000)
    const [done] = await query<{ done: number }>(
      world.url,
      'select count(*)::integer as done from wallet_syncs where synced_at is not null',
    )
    process.kill(pid, 'SIGCONT')
    const more = await world.untilSynced(asked * NETWORKS.length)
    log(
      `A6 frozen for ${Math.round((Date.now() - stoppedMs) / 1_000 - more)} s: ${done!.done} of ${asked * NETWORKS.length} syncs done when it continued, all ${more} s later`,
    )
    expect(frozen.pid()).toBe(pid)
    await world.expectTransfers(wallets)
  },
  400_000,
)

test('A6 the kernel kills a worker for its memory: its work in progress is done exactly once', async () => {
  const pid = second.pid()
  // The other worker stands still meanwhile: all work is that of the limited one.
  const other = world.parts.worker.pid()
  process.kill(other, 'SIGSTOP')
  // A warm process takes hardly any new memory.
  const limit = limitMemory(pid, 2)
  if (!limit) {
    log('A6 this system cannot limit memory: the test sends the signal that the kernel would send')
    process.kill(pid, 'SIGKILL')
  }
  const wallets = await beginSyncs(3)
  for (let i = 0; i < 300 && second.pid() === pid; i++) await sleep(100)
  process.kill(other, 'SIGCONT')
  if (limit) log(`A6 processes killed by the kernel: ${limit.kills()}`)
  expect(second.pid()).not.toBe(pid)
  if (limit) expect(limit.kills()).toBe(1)
  limit?.remove()
  await second.up()
  const seconds = await world.untilSynced(asked * NETWORKS.length)
  log(`A6 all wallets are synced ${seconds} s after it came back`)
  await world.expectTransfers(wallets)
}, 400_000)

test('Y11 a wallet that cannot be stored fails after its retries with the reason; the others sync', async () => {
  // A trigger refuses the rows of the next wallet.
  const poisoned = addresses[asked]!
  await query(
    world.url,
    `create function refuse() returns trigger language plpgsql as $$ begin
       if new.wallet_id = (select id from wallets where address = '${poisoned}') then raise 'poison'; end if;
       return new;
     end $$`,
  )
  await query(
    world.url,
    'create trigger poison before insert on movements for each row execute function refuse()',
  )
  const [, ...others] = await beginSyncs(3)
  const seconds = await world.untilSynced((asked - 1) * NETWORKS.length)
  log(`Y11 the others are synced after ${seconds} s`)
  await world.expectTransfers(others)
  const states = () =>
    query<{ failure: string | null; synced: boolean }>(
      world.url,
      `select failure, synced_at is not null as synced from wallet_syncs join wallets on id = wallet_id where address = $1`,
      [poisoned],
    )
  const startMs = Date.now()
  while ((await states()).some(({ failure }) => failure === null)) {
    if (Date.now() > startMs + 300_000) throw new Error('the wallet did not fail within 300 s')
    await sleep(1_000)
  }
  log(
    `Y11 failed after ${Math.round((Date.now() - startMs) / 1_000 + seconds)} s: ${JSON.stringify(await states())}`,
  )
  expect(await states()).toEqual(
    NETWORKS.map(() => ({ failure: expect.stringContaining('poison'), synced: false })),
  )
  const status = `/wallet/status?address=${poisoned}&connectionId=${NETWORKS.join(',')}`
  expect(await world.ask(status)).toMatchObject({ status: 200, body: { status: 'syncing' } })

  await query(world.url, 'drop function refuse cascade')
  await world.requestSync(poisoned)
  await world.untilSynced(asked * NETWORKS.length)
  await world.expectTransfers([poisoned])
}, 600_000)

test('Y1, A6 at the end the wallet tables equal those of a run without faults', async () => {
  await world.expectBooks()
  await world.expectUndisturbed(addresses.slice(0, asked))
}, 300_000)
