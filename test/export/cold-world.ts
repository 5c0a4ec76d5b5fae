import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect } from 'vitest'
import { readColdFiles } from '../../export/cold/cold-files.ts'
import type { ColdTable } from '../../export/cold/cold-tables.ts'
import { movableMonths, moveMonth } from '../../export/cold/move-cold.ts'
import { restoreFile } from '../../export/cold/restore-cold.ts'
import { folderTarget } from '../../export/folder-target.ts'
import { runExport } from '../../export/run-export.ts'
import { verifyExport } from '../../export/verify.ts'
import type { TestDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import type { ColdStock } from './cold-stocks.ts'
import { askCatalog } from './compare-examples.ts'

/** Before it, the months may move. */
export const BEFORE = new Date('2026-02-10T00:00:00Z')
const MOVE_STEPS = ['written', 'stored', 'read back', 'deleted', 'noted']
const RESTORE_STEPS = ['read back', 'inserted', 'noted']

/** A database with rows of a table, of which `insert` makes so many old ones, and its exports. */
export async function coldWorld(database: Pick<TestDatabase, 'ownerUrl' | 'ingestUrl'>, stock: ColdStock) {
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
  const { table, text } = stock
  const { name, from } = table.dataset

  /** Count and digest of all rows of the table, whatever their order. */
  const digest = async () =>
    (
      await rows<{ rows: string; digest: string }>(
        `select count(*)::text as rows, sum(hashtextextended(${text}, 0))::text as digest from ${from} as own`,
      )
    )[0]!

  const insert = (old: number) => stock.insert(rows, old)

  const run = () => runExport({ pool: worker, target, now: () => new Date() })
  /** Every row is in its table or in one file that is there, and an export has all of them. */
  async function expectAll(whole: { rows: string }): Promise<void> {
    const { differences, datasets } = await run().then(() =>
      verifyExport({ pool, target, spill: join(home, 'spill') }),
    )
    expect(differences).toEqual([])
    const found = datasets.find((one) => one.name === name)!
    expect(String(found.rows)).toBe(whole.rows)
    expect(found.changedSince).toBe(0)
    const [total] = await rows<{ rows: string }>(
      `select ((select count(*) from ${from}) + (select coalesce(sum(rows), 0) from cold_files))::text as rows`,
    )
    expect(total!.rows).toBe(whole.rows)
    if (table.kept) await expectKept(table.kept)
  }

  /** What finds moved rows is there for each of them, and for no other. */
  async function expectKept({ table: kept, key, columns }: NonNullable<ColdTable['kept']>): Promise<void> {
    const same = key.map((one) => `known.${one} = ${columns[one]}`).join(' and ')
    const [found] = await rows<{ kept: string; both: string; moved: string }>(
      `select count(*)::text as kept, (select coalesce(sum(rows), 0) from cold_files)::text as moved,
         (select count(*) from ${kept} as known join ${from} as back on ${same})::text as both from ${kept}`,
    )
    expect(found).toEqual({ kept: found!.moved, both: '0', moved: found!.moved })
  }

  /** Does one month in a process of its own, which is killed after a step. */
  async function killed(work: 'move' | 'restore', month: string, step: string): Promise<void> {
    const program = join(import.meta.dirname, 'cold-process.ts')
    const env = { ...process.env, DATABASE_URL: database.ownerUrl }
    const child = spawn(process.execPath, [program, folder, name, month, work, step], {
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
    for (const month of await movableMonths(pool, { table, before: BEFORE }))
      await moveMonth({ pool, target, table }, month)
  }
  const restoreAll = async () => {
    for (const file of await readColdFiles(pool)) await restoreFile({ pool, target }, file)
  }
  const read = (sql: string) => askCatalog(folder, sql)
  return {
    database,
    stock,
    table,
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
 * After each kill every row is in its table or in a file, and after those of `exportsAfter` an export is whole. Returns
 * what it took, in milliseconds, and the bytes of the table and of what finds moved rows.
 */
export async function movesAndRestores(
  world: Awaited<ReturnType<typeof coldWorld>>,
  { old, exportsAfter }: { old: number; exportsAfter: (step: string) => boolean },
): Promise<Record<'moveMs' | 'exportMs' | 'restoreMs' | 'tableBytes' | 'keptBytes', number>> {
  const timed = async (work: () => Promise<unknown>) => {
    const startMs = Date.now()
    await work()
    return Date.now() - startMs
  }
  /** Of all partitions, or of a table without any. */
  const bytesOf = async (table: string) => {
    const [sum] = await world.rows<{ bytes: string }>(
      `select coalesce((select sum(pg_total_relation_size(relid)) from pg_partition_tree('${table}')),
         pg_total_relation_size('${table}')) as bytes`,
    )
    return Number(sum!.bytes)
  }
  const { digest, expectAll, killed, read, stock } = world
  const { name } = world.table.dataset
  const { stays } = stock
  const whole = await digest()
  expect(Number(whole.rows)).toBe(old + stays)
  const tableBytes = await bytesOf(world.table.dataset.from)
  await world.run()
  const totals = () =>
    read(`select count(*)::varchar as n, bit_xor(hash(own))::varchar as all_rows from ${name} as own`)
  const before = await totals()
  for (const step of MOVE_STEPS) {
    await killed('move', '2025-01', step)
    expect(await readColdFiles(world.pool)).toEqual([])
    expect(await digest()).toEqual(whole)
    if (exportsAfter(step)) await expectAll(whole)
  }
  const moveMs = await timed(world.moveAll)
  const keptBytes = world.table.kept ? await bytesOf(world.table.kept.table) : 0
  const cold = await readColdFiles(world.pool)
  expect(new Set(cold.map(({ month }) => month)).size).toBe(12)
  expect(cold.reduce((sum, one) => sum + one.rows, 0)).toBe(old)
  expect((await digest()).rows).toBe(String(stays))
  await expectAll(whole)

  const exportMs = await timed(world.run)
  expect(await totals()).toEqual(before)

  const readMoved = () =>
    read(`select ${stock.picked.columns} from ${name} where ${stock.picked.where} order by all`)
  const moved = await readMoved()
  expect(moved.length).toBeGreaterThan(old / 2 / 365 / 2)

  for (const step of RESTORE_STEPS) {
    await killed('restore', '2025-01', step)
    expect(await readColdFiles(world.pool)).toEqual(cold)
    expect((await digest()).rows).toBe(String(stays))
    if (exportsAfter(step)) await expectAll(whole)
  }
  const restoreMs = await timed(world.restoreAll)
  expect(await readColdFiles(world.pool)).toEqual([])
  expect(await digest()).toEqual(whole)
  await expectAll(whole)
  expect(await readMoved()).toEqual(moved)
  expect(await totals()).toEqual(before)
  // Moving and restoring changed no row for a reader who follows the changes.
  expect(await read(`select count(*)::integer as n from changes.${name}`)).toEqual([{ n: 0 }])
  return { moveMs, exportMs, restoreMs, tableBytes, keptBytes }
}
