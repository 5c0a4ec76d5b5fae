import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect } from 'vitest'
import { readColdFiles } from '../../export/cold/cold-files.ts'
import { COLD_TABLES } from '../../export/cold/cold-tables.ts'
import { movableMonths, moveMonth } from '../../export/cold/move-cold.ts'
import { restoreFile } from '../../export/cold/restore-cold.ts'
import { folderTarget } from '../../export/folder-target.ts'
import { runExport } from '../../export/run-export.ts'
import { verifyExport } from '../../export/verify.ts'
import type { TestDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { askCatalog } from './compare-examples.ts'

export const TABLE = COLD_TABLES[0]!
/** Before it, the months may move. */
export const BEFORE = new Date('2026-02-10T00:00:00Z')
const MOVE_STEPS = ['written', 'stored', 'read back', 'deleted', 'noted']
const RESTORE_STEPS = ['read back', 'inserted', 'noted']
/** Neither moves: the past of one is still to be read, and the month of the others is not over. */
const STAYING = { uncharted: 50, fresh: 100 }

/** A database with `old` volumes of two exchanges in 2025, and others that stay, and its exports. */
export async function coldWorld(database: TestDatabase) {
  const home = await mkdtemp(join(tmpdir(), 'sluice-cold-'))
  // Without a time limit, for a busy machine.
  const pools = [database.ownerUrl, database.ingestUrl].map(
    (connectionString) => new pg.Pool({ connectionString, max: 1 }),
  )
  const [pool, worker] = pools as [pg.Pool, pg.Pool]
  afterAll(async () => {
    for (const one of pools) await one.end()
    await rm(home, { recursive: true, force: true })
  })
  const folder = join(home, 'export')
  const target = folderTarget(folder)
  const rows = <Row extends Record<string, unknown>>(sql: string) => query<Row>(database.ownerUrl, sql)

  /** Count and digest of all rows of the table, whatever their order. */
  const digest = async () =>
    (
      await rows<{ rows: string; digest: string }>(
        `select count(*)::text as rows, sum(hashtextextended(row(exchange_id, source, at, trim_scale(volume_24h_usd),
           fetched_at)::text, 0))::text as digest from ticker_exchange_volumes`,
      )
    )[0]!

  async function insert(old: number): Promise<void> {
    await rows(
      `insert into ticker_exchanges (id, name, rank, volume_24h_usd, at, charted_at, source, fetched_at)
       select id, id, 1, 1, '2026-02-09Z', case when id <> 'uncharted' then timestamptz '2024-01-01Z' end, 'test', now()
       from unnest('{one,"t,w\\"o",uncharted}'::text[]) as id`,
    )
    const volumes = (exchange: string, number: number, at: string) =>
      rows(
        `insert into ticker_exchange_volumes (exchange_id, source, at, volume_24h_usd, fetched_at)
         select ${exchange}, case when n % 7 = 0 then '' else 'Text "of", ' || chr(10) || n % 3 end, ${at},
           case when n % 1000 = 1 then 2::numeric ^ 140 + n when n % 1000 = 2 then 0.1234567890123456789 else n / 8.0 end,
           ${at} + n * interval '1 microsecond' from generate_series(1, ${number}) as n`,
      )
    const within = `timestamptz '2025-01-01Z' + n * (interval '364 days' / ${old})`
    await volumes(`case when n % 2 = 0 then 'one' else 't,w"o' end`, old, within)
    await volumes(`'uncharted'`, STAYING.uncharted, `timestamptz '2025-03-01Z' + n * interval '1 h'`)
    await volumes(`'one'`, STAYING.fresh, `timestamptz '2026-02-01Z' + n * interval '2 h'`)
  }

  const run = () => runExport({ pool: worker, target, now: () => new Date() })
  /** Every row is in its table or in one file that is there, and an export has all of them. */
  async function expectAll(whole: { rows: string }): Promise<void> {
    const { differences, datasets } = await run().then(() =>
      verifyExport({ pool, target, spill: join(home, 'spill') }),
    )
    expect(differences).toEqual([])
    const found = datasets.find(({ name }) => name === 'ticker_exchange_volumes')!
    expect(String(found.rows)).toBe(whole.rows)
    expect(found.changedSince).toBe(0)
    const [total] = await rows<{ rows: string }>(
      `select ((select count(*) from ticker_exchange_volumes) + (select coalesce(sum(rows), 0) from cold_files))::text as rows`,
    )
    expect(total!.rows).toBe(whole.rows)
  }

  /** Does one month in a process of its own, which is killed after a step. */
  async function killed(work: 'move' | 'restore', month: string, step: string): Promise<void> {
    const program = join(import.meta.dirname, 'cold-process.ts')
    const env = { ...process.env, DATABASE_URL: database.ownerUrl }
    const child = spawn(process.execPath, [program, folder, month, work, step], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(child, 'exit')
    expect(await Promise.race([once(child.stdout, 'data').then(String), exited.then(String)])).toBe(
      'stands still\n',
    )
    child.kill('SIGKILL')
    await exited
  }

  const moveAll = async () => {
    for (const month of await movableMonths(pool, { table: TABLE, before: BEFORE }))
      await moveMonth({ pool, target, table: TABLE }, month)
  }
  const restoreAll = async () => {
    for (const file of await readColdFiles(pool)) await restoreFile({ pool, target }, file)
  }
  const read = (sql: string) => askCatalog(folder, sql)
  return {
    database,
    folder,
    target,
    pool,
    rows,
    digest,
    insert,
    run,
    expectAll,
    killed,
    moveAll,
    restoreAll,
    read,
  }
}

/**
 * Moves all `old` rows, which `insert` has made, exports, reads and restores them. A process is killed after each step of the first month.
 * After each kill every row is in its table or in a file, and after those of `exportsAfter` an export is whole.
 */
export async function movesAndRestores(
  world: Awaited<ReturnType<typeof coldWorld>>,
  { old, exportsAfter }: { old: number; exportsAfter: (step: string) => boolean },
): Promise<void> {
  const { digest, expectAll, killed, read } = world
  const whole = await digest()
  const stays = STAYING.uncharted + STAYING.fresh
  expect(Number(whole.rows)).toBe(old + stays)
  await world.run()
  for (const step of MOVE_STEPS) {
    await killed('move', '2025-01', step)
    expect(await readColdFiles(world.pool)).toEqual([])
    expect(await digest()).toEqual(whole)
    if (exportsAfter(step)) await expectAll(whole)
  }
  await world.moveAll()
  const cold = await readColdFiles(world.pool)
  expect(new Set(cold.map(({ month }) => month)).size).toBe(12)
  expect(cold.reduce((sum, one) => sum + one.rows, 0)).toBe(old)
  expect((await digest()).rows).toBe(String(stays))
  await expectAll(whole)

  const picked = `exchange_id = 'one' and occurred_at >= timestamptz '2025-06-01 00:00:00Z'
    and occurred_at < timestamptz '2025-06-02 00:00:00Z'`
  const readMoved = () =>
    read(`select source, epoch_us(occurred_at)::varchar as at, volume_24h_usd_exact as volume
      from ticker_exchange_volumes where ${picked} order by all`)
  const moved = await readMoved()
  expect(moved.length).toBeGreaterThan(old / 2 / 365 / 2)

  for (const step of RESTORE_STEPS) {
    await killed('restore', '2025-01', step)
    expect(await readColdFiles(world.pool)).toEqual(cold)
    expect((await digest()).rows).toBe(String(stays))
    if (exportsAfter(step)) await expectAll(whole)
  }
  await world.restoreAll()
  expect(await readColdFiles(world.pool)).toEqual([])
  expect(await digest()).toEqual(whole)
  await expectAll(whole)
  expect(await readMoved()).toEqual(moved)
  // Moving and restoring changed no row for a reader who follows the changes.
  expect(await read('select count(*)::integer as n from changes.ticker_exchange_volumes')).toEqual([{ n: 0 }])
}
