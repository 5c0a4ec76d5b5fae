import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { isRunning } from '../../cli/supervisor/process-mark.ts'
import { readRun } from '../../cli/supervisor/run-file.ts'
import { sluiceOn } from '../cli/sluice-on.ts'
import { query } from '../setup/query.ts'
import { databaseUrlOf, startSluice } from '../start/running.ts'
import { loadText, UNAVAILABLE, underLoad } from './under-load.ts'

// A whole installation, as `npm start` runs it, on its own disk that becomes full. The disk is a memory
// mount, which needs root.

const DISK_MB = 2_000
const log = (line: string) => console.log(`chaos: ${line}`)
const isRoot = process.getuid?.() === 0
const world = isRoot ? await startOnSmallDisk() : null
if (!world) log('A3 is skipped: mounting a disk needs root')

async function startOnSmallDisk() {
  const disk = mkdtempSync(join(tmpdir(), 'sluice-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=0755`, 'tmpfs', disk])
  afterAll(() => {
    execFileSync('umount', [disk])
    rmSync(disk, { recursive: true })
  })
  const sluice = await startSluice({ home: disk })
  afterAll(() => sluice.stop())
  return { disk, sluice }
}

test.skipIf(!world)(
  'A3 a full disk: the supervisor keeps running, requests get 503, and everything recovers by itself once there is space',
  async () => {
    const { disk, sluice } = world!
    const database = () => databaseUrlOf(disk)
    const command = sluiceOn({ SLUICE_HOME: disk })
    command('accounts', 'create', '--name', 'load', '--plan', 'enterprise', '--rps', '100000')
    const key = command('keys', 'create', '--account', 'load', '--name', 'load').stdout.split('\n', 1)[0]!
    const ask = async (signal: AbortSignal) => {
      // Leave processor time to the restarting parts, which share the two cores.
      await sleep(50)
      const startMs = performance.now()
      const headers = { 'x-api-key': key }
      const response = await fetch(`${sluice.url}/coins?limit=1`, { headers, signal })
      return { status: response.status, body: await response.json(), ms: performance.now() - startMs }
    }
    const { supervisor, children } = readRun(disk)!
    const secretsBefore = readFileSync(join(disk, 'secrets.json'), 'utf8')
    expect(command('pay', '/coins?limit=2').status).toBe(0)
    const paidBefore = await payments()

    let backMs = 0
    const load = await underLoad(ask, async () => {
      const ballast = join(disk, 'ballast')
      const fill = filler(ballast)
      fill.once()
      log(`A3 the disk is full: ${freeMb()} MB of ${DISK_MB} free`)
      // Each segment of the write-ahead log is a file. Postgres stops when a new segment does not fit.
      await vi.waitFor(
        async () => {
          fill.once()
          await query(database(), 'select pg_switch_wal()').catch(() => {})
          expect((await ask(AbortSignal.timeout(20_000))).status).toBe(503)
        },
        { timeout: 120_000, interval: 100 },
      )
      // The supervisor can neither record nor log that these parts died, but restarts them anyway.
      for (const name of ['gateway', 'facilitator']) process.kill(children[name]!.pid, 'SIGKILL')
      const during = await Promise.all(['/coins?limit=3', '/account', '/console'].map(statusOf))
      log(`A3 meanwhile: ${JSON.stringify(during)}`)
      // Pages may redirect to the sign-in, which needs no database. None may answer 500.
      for (const [path, status] of during) expect({ path, status }).not.toEqual({ path, status: 500 })
      for (const end = Date.now() + 30_000; Date.now() < end; await sleep(200)) fill.once()
      expect(isRunning(supervisor)).toBe(true)
      const refused = await ask(AbortSignal.timeout(20_000))
      expect([refused.status, refused.body]).toEqual([503, UNAVAILABLE])
      const unpaid = command('pay', '/coins?limit=4', '--json')
      log(`A3 a paid call meanwhile: ${unpaid.stdout.slice(0, 300) || unpaid.stderr.slice(0, 300)}`)
      fill.end()
      rmSync(ballast)
      log(`A3 ${freeMb()} MB are free again`)
      const startMs = performance.now()
      await vi.waitFor(async () => expect((await ask(AbortSignal.timeout(5_000))).status).toBe(200), {
        timeout: 60_000,
        interval: 100,
      })
      backMs = performance.now() - startMs
    })
    log(`A3 ${loadText(load)}, back after ${Math.round(backMs)} ms`)
    expect(load.broken).toEqual({})
    expect(load.refused.length).toBeGreaterThan(10)
    for (const { status, body } of load.refused)
      expect({ status, body }).toEqual({ status: 503, body: UNAVAILABLE })

    // Every part runs, and the run file is correct.
    await vi.waitFor(
      () => {
        const run = readRun(disk)!
        expect(run.supervisor).toEqual(supervisor)
        expect(Object.keys(run.children).sort()).toEqual(Object.keys(children).sort())
        for (const mark of Object.values(run.children)) expect(isRunning(mark)).toBe(true)
      },
      { timeout: 60_000, interval: 500 },
    )
    expect(sluice.output()).toContain('cannot be written (ENOSPC')
    expect(readFileSync(join(disk, 'secrets.json'), 'utf8')).toBe(secretsBefore)

    // Work continues: calls are paid, workflows run, and the credit ledger is exact.
    await vi.waitFor(() => expect(command('pay', '/coins?limit=5').status).toBe(0), {
      timeout: 60_000,
      interval: 2_000,
    })
    const since = new Date()
    await vi.waitFor(
      async () => {
        const [row] = await query<{ n: number }>(
          database(),
          'select count(*)::int as n from source_states where last_success_at > $1',
          [since],
        )
        expect(row!.n).toBeGreaterThan(0)
      },
      { timeout: 180_000, interval: 2_000 },
    )
    const books = await query(
      database(),
      `select account_id from credit_periods p where posted <>
         (select coalesce(sum(credits), 0) from ledger_entries l where l.account_id = p.account_id)`,
    )
    expect(books).toEqual([])
    const paid = await payments()
    expect(paid.open).toBe(0)
    expect(paid.onChain - paidBefore.onChain).toBe(paid.settled - paidBefore.settled)
    log(`A3 payments: ${JSON.stringify({ paidBefore, paid })}`)

    function freeMb(): number {
      const { bavail, bsize } = statfsSync(disk)
      return Math.round((bavail * bsize) / 1e6)
    }
    async function statusOf(path: string): Promise<[string, number]> {
      const url = path.startsWith('/coins') ? `${sluice.url}${path}` : new URL(path, sluice.url)
      return [path, (await fetch(url, { redirect: 'manual' })).status]
    }
    /** Settled payments in the database and on the chain, and payments without an outcome. */
    async function payments() {
      const [row] = await query<{ settled: number; open: number }>(
        database(),
        `select count(*) filter (where state = 'settled')::int as settled,
           count(*) filter (where state not in ('settled', 'failed'))::int as open from payments`,
      )
      return { ...row!, onChain: await transfersOnChain() }
    }
    /** Counts used USDC authorizations on the chain: each is one payment. */
    async function transfersOnChain(): Promise<number> {
      const used = '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5'
      const response = await fetch(`http://127.0.0.1:${readRun(disk)!.ports['base-wallet']}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'eth_getLogs',
          params: [{ fromBlock: '0x0', toBlock: 'latest', topics: [used] }],
        }),
      })
      return ((await response.json()) as { result: unknown[] }).result.length
    }
  },
  600_000,
)

/** Fills all free space, as often as `once` is called. */
function filler(file: string) {
  const fd = openSync(file, 'a')
  return {
    once: () => {
      for (let size = 1_048_576; size > 0;) {
        try {
          writeSync(fd, Buffer.alloc(size))
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
          size = Math.floor(size / 8)
        }
      }
    },
    end: () => closeSync(fd),
  }
}
