import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { beforeAll, expect, test } from 'vitest'
import { periodsOf } from '../../export/changes.ts'
import { DATASETS } from '../../export/datasets.ts'
import { folderTarget } from '../../export/folder-target.ts'
import { type Manifest, readManifest } from '../../export/manifest.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { askCatalog } from './compare-examples.ts'
import { CHANGES, exportWorld, insertHistory } from './export-world.ts'

// The changes since an earlier export turn its rows into those of the last.

const database = await testDatabase()
const world = await exportWorld(database)
const rows = (sql: string) => query(database.ownerUrl, sql)
const manifestOf = async (folder: string) => (await readManifest(folderTarget(folder)))!
const rewrite = async (folder: string, change: (manifest: Manifest) => void) => {
  const manifest = await manifestOf(folder)
  change(manifest)
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest))
}

beforeAll(() => insertHistory(database.ownerUrl))

/** Returns the datasets whose rows of the earlier export and the changes since give other rows than the last. */
async function wrongSince(earlier: string, folder: string): Promise<string[]> {
  const { exportedAt, datasets } = await manifestOf(earlier)
  const instance = await DuckDBInstance.create(':memory:')
  const duckdb = await instance.connect()
  try {
    for (const [name, at] of [
      ['before', earlier],
      ['after', folder],
    ] as const)
      await duckdb.run(`attach '${join(at, 'catalog.duckdb')}' as ${name} (read_only)`)
    const wrong: string[] = []
    for (const name of Object.keys(datasets)) {
      await duckdb.run(`set variable root = '${earlier}'; create or replace temp table earlier as from before.${name};
        set variable root = '${folder}'; create or replace temp table feed as
          select * exclude (exported_at) from after.changes.${name} where exported_at > timestamptz '${exportedAt}'`)
      const side = (change: string) => `(select * exclude (change) from feed where change = '${change}')`
      const [left, right] = [
        `(from earlier union all ${side('insert')})`,
        `(from after.${name} union all ${side('delete')})`,
      ]
      const reader = await duckdb.runAndReadAll(
        `select count(*)::int from ((${left} except all ${right}) union all (${right} except all ${left}))`,
      )
      if (reader.getRowsJson()[0]![0] !== 0) wrong.push(name)
    }
    return wrong
  } finally {
    duckdb.closeSync()
    instance.closeSync()
  }
}

test('the changes since any earlier export lead to the last one', async () => {
  const folder = world.newFolder()
  const earlier: string[] = []
  for (const [round, some] of [CHANGES.slice(0, 5), CHANGES.slice(5, 10), CHANGES.slice(10)].entries()) {
    await world.run(folder)
    const copy = world.newFolder()
    await cp(folder, copy, { recursive: true })
    earlier.push(copy)
    for (const [n, change] of some.entries()) await rows(change(round * 90 + n * 7))
  }
  await world.run(folder)
  for (const copy of earlier) expect(await wrongSince(copy, folder)).toEqual([])
  const [first, ...others] = await Promise.all(earlier.map(manifestOf))
  const changed = Object.entries((await manifestOf(folder)).datasets).filter(
    ([, { changes }]) => changes!.files.length > 0,
  )
  expect(changed.map(([name]) => name)).toEqual(
    expect.arrayContaining(['price_days', 'transactions', 'movements', 'balances', 'news_items']),
  )
  for (const [, { changes }] of changed) expect(changes!.from).toBe(first!.exportedAt)
  expect(others).toHaveLength(2)
  expect((await world.verify(folder)).differences).toEqual([])
})

test('files of past hours and days become one each, and those of more than seven days go', async () => {
  const folder = world.newFolder()
  await world.run(folder)
  for (let n = 0; n < 6; n++) {
    await rows(CHANGES[0]!(n))
    await world.run(folder)
  }
  const fed = async () => (await manifestOf(folder)).datasets['price_days']!.changes!
  expect((await fed()).files).toHaveLength(6)
  const all = await askCatalog(
    folder,
    'select change, coin_id, usd::varchar from changes.price_days order by all',
  )
  expect(all.length).toBeGreaterThanOrEqual(12)

  const ago = (days: number, more = 0) => new Date(Date.now() - days * 86_400_000 + more).toISOString()
  await rewrite(folder, ({ datasets }) => {
    const { files } = datasets['price_days']!.changes!
    for (const [n, to] of [ago(8), ago(3), ago(3, 1), ago(3, 2)].entries()) files[n]!.to = to
  })
  const tooOld = (await fed()).files[0]!
  await world.run(folder)
  const { from, files } = await fed()
  expect(from).toBe(tooOld.to)
  expect(files.map(({ rows: count }) => count)).toEqual([6, 2, 2])
  expect(await askCatalog(folder, 'select count(*)::int as n from changes.price_days')).toEqual([{ n: 10 }])
  expect((await world.verify(folder)).differences).toEqual([])
})

test('the hour and the day decide which files are merged', () => {
  const at = (to: string) => ({ from: to, to, file: to, rows: 1, bytes: 1, sha256: '' })
  const times = [
    '2026-11-26T23:59:59.999999Z',
    '2026-11-27T00:00:00.000000Z',
    '2026-11-27T23:00:00.000000Z',
    '2026-11-28T00:10:00.000000Z',
    '2026-11-28T00:50:00.000000Z',
    '2026-11-28T01:00:00.000000Z',
    '2026-11-28T04:01:00.000000Z',
    '2026-11-28T04:02:00.000000Z',
  ]
  const groups = periodsOf(times.map(at), '2026-11-28T04:30:00.000000Z')
  expect(groups.map((group) => group.map(({ to }) => times.indexOf(to)))).toEqual([
    [0],
    [1, 2],
    [3, 4],
    [5],
    [6],
    [7],
  ])
})

test('a lost file, other columns and an export without a feed begin the feed anew', async () => {
  const folder = world.newFolder()
  await world.run(folder)
  const begun = async () => {
    const { exportedAt, datasets } = await manifestOf(folder)
    return datasets['price_days']!.changes!.from === exportedAt
  }
  await rows(CHANGES[0]!(1))
  await world.run(folder)
  expect(await begun()).toBe(false)

  await rows(CHANGES[0]!(2))
  const [lost] = (await manifestOf(folder)).datasets['price_days']!.changes!.files
  await writeFile(join(folder, lost!.file), 'cut')
  expect((await world.verify(folder)).differences).toEqual([expect.stringContaining(lost!.file)])
  await world.run(folder)
  expect(await begun()).toBe(true)

  await rewrite(folder, ({ datasets }) => void (datasets['price_days']!.definition = 'other'))
  await world.run(folder)
  expect(await begun()).toBe(true)
  await rewrite(folder, ({ datasets }) => void delete datasets['price_days']!.changes)
  await world.run(folder)
  expect(await begun()).toBe(true)
  const [known] = await askCatalog(
    folder,
    `select changes_from = exported_at as anew, count(*) over ()::int as datasets from export_datasets where dataset = 'price_days'`,
  )
  expect(known).toEqual({ anew: true, datasets: 1 })
  expect(await readFile(join(folder, 'manifest.json'), 'utf8')).toContain('"changes"')
})

test('no dataset has a column of the feed', () => {
  const taken = DATASETS.filter(({ columns }) => 'change' in columns || 'exported_at' in columns)
  expect(taken.map(({ name }) => name)).toEqual([])
})
