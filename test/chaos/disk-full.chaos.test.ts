import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { DEADLINE_MS } from '../../api/open-pools.ts'
import { routes } from '../../api/routes.ts'
import { probeRoutes } from '../api/probe-routes.ts'
import { startApi } from '../setup/api.ts'
import { startOwnPostgres } from '../setup/own-postgres.ts'
import { query } from '../setup/query.ts'
import { loadText, UNAVAILABLE, underLoad } from './under-load.ts'

// The data folder on a disk of its own that becomes full: a mount in memory, for which one has to be root.

const DISK_MB = 300
const log = (line: string) => console.log(`chaos: ${line}`)
const isRoot = process.getuid?.() === 0
const world = isRoot ? await startOnSmallDisk() : null
if (!world) log('A3 is left out: mounting a disk needs root')

async function startOnSmallDisk() {
  const disk = mkdtempSync(join(tmpdir(), 'sluice-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=0711`, 'tmpfs', disk])
  // Every piece of the log is a new file, as it is where the log is archived as it grows.
  const settings = { max_wal_size: '64MB', min_wal_size: '32MB', wal_recycle: 'off' }
  const postgres = await startOwnPostgres(join(disk, 'postgres'), settings)
  // Hooks run from the last to the first: the API is closed before.
  afterAll(async () => {
    await postgres.stop()
    execFileSync('umount', [disk])
    rmSync(disk, { recursive: true })
  })
  const api = await startApi({
    ...{ database: postgres.database, routes: [...routes, ...probeRoutes], deadlineMs: DEADLINE_MS },
  })
  return { disk, postgres, api }
}

test.skipIf(!world)(
  'A3 no space left for rows, then for the log: 503, and when there is space again all goes on with exact books',
  async () => {
    const { disk, postgres, api } = world!
    const { accountId, key } = await api.newAccount({ plan: 'enterprise' })
    const ask = async (signal: AbortSignal) => {
      const startMs = performance.now()
      const response = await api.get('/probe', key, { signal })
      return { status: response.status, body: await response.json(), ms: performance.now() - startMs }
    }
    const freeMb = () => {
      const { bavail, bsize } = statfsSync(disk)
      return Math.round((bavail * bsize) / 1e6)
    }
    // What an operator has at hand to remove.
    const ballast = join(disk, 'ballast')
    mkdirSync(ballast)
    writeFileSync(join(ballast, 'file'), Buffer.alloc(40 * 1_048_576))
    log(`A3 ${freeMb()} MB of ${DISK_MB} are free`)

    const said = (what: RegExp) => postgres.lines.findLast((line) => what.test(line))
    let ended = false as boolean
    let backMs = 0
    const load = await underLoad(ask, async () => {
      const failure = await fillDisk(postgres.database.ownerUrl)
      log(`A3 the disk is full (${freeMb()} MB free): ${failure}`)
      void postgres.ended().then(() => (ended = true))
      // Each piece of the log is a file: at the one for which there is no space Postgres gives up what runs.
      for (let i = 0; i < 100 && !said(/PANIC/); i++) {
        await query(postgres.database.ownerUrl, 'select pg_switch_wal()').catch(() => {})
        await sleep(100)
      }
      await sleep(2_000)
      log(`A3 ${said(/No space/)}; ${said(/PANIC/)}; Postgres ${ended ? 'has ended' : 'tries to recover'}`)
      rmSync(ballast, { recursive: true })
      log(`A3 ${freeMb()} MB are free again`)
      const startMs = performance.now()
      // A supervisor does this.
      if (ended) await postgres.start()
      while ((await ask(AbortSignal.timeout(5_000))).status !== 200) await sleep(50)
      backMs = performance.now() - startMs
    })
    log(`A3 ${loadText(load)}, back after ${Math.round(backMs)} ms`)
    expect(said(/PANIC/)).toContain('No space left')
    expect(load.broken).toEqual({})
    expect(load.refused.length).toBeGreaterThan(10)
    for (const { status, body } of load.refused)
      expect({ status, body }).toEqual({ status: 503, body: UNAVAILABLE })
    expect(load.slowestMs.refused).toBeLessThan(1_300)
    expect(backMs).toBeLessThan(5_000)

    await query(postgres.database.ownerUrl, 'drop table filler')
    const after = await underLoad(ask, () => sleep(1_000))
    expect(after.refused).toEqual([])
    const [books] = await query<{ entries: number; ledger: string; posted: string }>(
      postgres.database.ownerUrl,
      `select count(*)::integer as entries, sum(credits) as ledger,
         (select sum(posted) from credit_periods where account_id = $1) as posted
       from ledger_entries where account_id = $1`,
      [accountId],
    )
    log(`A3 ${books!.entries} charges, posted ${books!.posted}, ledger ${books!.ledger}`)
    expect(books!.posted).toBe(books!.ledger)
    expect(books!.entries).toBeGreaterThanOrEqual(load.ok + after.ok)
    expect(books!.entries).toBeLessThanOrEqual(load.ok + after.ok + load.refused.length + 1)
  },
  240_000,
)

/** A table that grows until something says no; returns what. */
async function fillDisk(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('create table filler (text text)')
    for (let size = 4_000; ;) {
      const failure = await client
        .query(`insert into filler select repeat(md5(n::text), 60) from generate_series(1, ${size}) n`)
        .then(() => null, (error: Error) => error) // prettier-ignore
      // What did not fit is rolled back: smaller pieces fill the rest.
      if (failure && size === 1) return failure.message
      if (failure && !/No space/.test(failure.message)) return failure.message
      if (failure) size = Math.max(1, Math.floor(size / 8))
    }
  } finally {
    await client.end().catch(() => {})
  }
}
