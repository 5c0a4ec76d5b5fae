import { existsSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { sha256Of } from '../../export/data-file.ts'
import { folderTarget } from '../../export/folder-target.ts'
import { type Manifest, readManifest } from '../../export/manifest.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { runs } from '../setup/runs.ts'
import { askCatalog } from './compare-examples.ts'
import { CHANGES, exportWorld, insertHistory } from './export-world.ts'

// An export has the exact state of one instant in complete files, and writes only changed partitions again.

const database = await testDatabase()
const world = await exportWorld(database)
const rows = <Row = Record<string, unknown>>(sql: string, values: unknown[] = []) =>
  query<Row & Record<string, unknown>>(database.ownerUrl, sql, values)
const HOUR_MS = 3_600_000

beforeAll(() => insertHistory(database.ownerUrl))

const manifestOf = async (folder: string) => (await readManifest(folderTarget(folder)))!
/** Returns the partitions of an export; the names of their files contain a digest of the content. */
const contentOf = async (folder: string) =>
  Object.entries((await manifestOf(folder)).datasets).flatMap(([name, { files }]) =>
    files.map(({ file, partition, rows: count, revision }) => [name, file, partition, count, revision]),
  )

test('every number of an ordinary history fits its column', async () => {
  const { datasets } = await world.run(world.newFolder())
  expect(datasets.find(({ name }) => name === 'transfer_matches')!.rows).toBe(20)
  expect(datasets.filter(({ unfit }) => unfit > 0).map(({ name }) => name)).toEqual([])
})

test('numbers, texts, lists and times are exported unchanged', async () => {
  const numbers = [
    '0',
    '1',
    '-1.5',
    '0.000000000000000001',
    '99999999999999999999.999999999999999999',
    '-0.10',
    // More digits than DECIMAL(38,18) has before and after the point, and NaN.
    '0.0000000000000000001',
    '100000000000000000000',
    '-12345678901234567890123456789012345678.9',
    'NaN',
  ]
  const texts = [
    '',
    ' ',
    'NULL',
    '\\N',
    'a,b',
    '"q"',
    'l1\nl2',
    'l1\r\nl2\rl3',
    '\\',
    "it's",
    'é😀',
    '\t',
    '\u001f',
  ]
  await rows(
    `insert into manual_transactions (id, portfolio_id, at, coin_id, count, currency, source, fetched_at)
     select gen_random_uuid(), $1::uuid, timestamptz '2026-01-01 00:00:00.123456Z' + n * interval '1 day', 'number-' || n,
       coalesce(nullif(count, 0), 2), 'USD', '', '1969-12-31 23:59:59.999999Z'
     from unnest($2::numeric[]) with ordinality as number (count, n)`,
    [await aPortfolio(), numbers],
  )
  await rows(
    `insert into coins (id, symbol, name, slug, categories, last_seen_at, source, fetched_at)
     select 'text-' || n, '', text, '', $1::text[], '2026-01-01Z', '', '2026-01-01Z'
     from unnest($1::text[]) with ordinality as texts (text, n)`,
    [texts],
  )
  const folder = world.newFolder()
  await world.run(folder)

  const found = await askCatalog(
    folder,
    `select coin_id, coalesce(count::varchar, unfit ->> 'count') as count, count is null as unfit, occurred_at::varchar as at,
       fetched_at::varchar as fetched_at, price from manual_transactions order by occurred_at`,
  )
  const stored = await rows<{ count: string; at: string }>(
    `select count::text, to_char(at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as at from manual_transactions order by at`,
  )
  const plain = (text: unknown) =>
    String(text)
      .replace(/(\.\d*?)0+$/, '$1')
      .replace(/\.$/, '')
  expect(found.map(({ count, at }) => [plain(count), at])).toEqual(
    stored.map(({ count, at }) => [plain(count), at]),
  )
  expect(found.map(({ unfit }) => unfit)).toEqual(numbers.map((_, index) => index >= 6))
  expect(found[0]).toMatchObject({ fetched_at: '1969-12-31 23:59:59.999999+00', price: null })

  const coins = await askCatalog(
    folder,
    `select name, categories, website_url from coins where id like 'text-%' order by substr(id, 6)::int`,
  )
  expect(coins).toEqual(texts.map((name) => ({ name, categories: texts, website_url: null })))
  expect((await world.verify(folder)).differences).toEqual([])
  // Moved to another folder, which the variable `root` names.
  const copy = world.newFolder()
  await rename(folder, copy)
  const counted = 'select count(*)::int as n from manual_transactions'
  await expect(askCatalog(copy, counted)).rejects.toThrow(/No files found/)
  expect(await askCatalog(copy, `set variable root = '${copy}'`, counted)).toEqual([{ n: numbers.length }])
  await rows(`delete from manual_transactions`)
  await rows(`delete from coins where id like 'text-%'`)
})

test('an amount has its exact value beside it, or none without a price', async () => {
  const moved = [
    ['1', 18, '2000.000000000000000000000000001', '0.000000000000002000000000000000000000000000001'],
    ['-123456789012345678901', 18, '3', '-370.370367037037036703'],
    ['15', 1, null, null],
    // Worthless tokens reach values that no column holds.
    ['9'.repeat(40), 0, '7', `6${'9'.repeat(39)}3`],
  ] as const
  await rows(
    `insert into movements (wallet_id, network_id, at, block_number, block_hash, tx_index, tx_hash, seq, role, coin_id, raw, decimals,
       price_usd, source, fetched_at)
     select 99, 'ethereum', '2026-02-01Z', n, 'block', 0, 'valued-' || n, 0, 'transfer', 'coin-3', raw, decimals, price, 'test', now()
     from unnest($1::numeric[], $2::int[], $3::numeric[]) with ordinality as moved (raw, decimals, price, n)`,
    [0, 1, 2].map((field) => moved.map((one) => one[field])),
  )
  const folder = world.newFolder()
  await world.run(folder)
  const found = await askCatalog(
    folder,
    `select value_usd::varchar as value, value_usd_exact as exact from movements where wallet_id = 99 order by block_number`,
  )
  expect(found).toEqual([
    { value: '0.000000000000002000', exact: moved[0][3] },
    { value: '-370.370367037037036703', exact: moved[1][3] },
    { value: null, exact: null },
    { value: null, exact: moved[3][3] },
  ])
  expect((await world.verify(folder)).differences).toEqual([])
  await rows(`delete from movements where wallet_id = 99`)
})

async function aPortfolio(): Promise<string> {
  const [account] = await rows<{ id: string }>(
    `insert into accounts (name, plan) values ('acme', 'free') returning id`,
  )
  const [made] = await rows<{ id: string }>(
    `insert into portfolios (id, account_id, kind) values (gen_random_uuid(), $1, 'manual') returning id`,
    [account!.id],
  )
  return made!.id
}

test('only changed partitions become new files, and the replaced files stay for an hour', async () => {
  const folder = world.newFolder()
  const filesOf = async () =>
    Object.values((await manifestOf(folder)).datasets).flatMap(({ files }) => files.map(({ file }) => file))
  const start = new Date('2026-04-01T00:00:00Z')
  await world.run(folder, () => start)
  const before = await filesOf()
  expect((await world.run(folder, () => start)).datasets.every(({ written }) => written === 0)).toBe(true)
  expect(await filesOf()).toEqual(before)

  // Rows rewritten without a change, and a restarted server: the partitions are read again, with the same
  // result.
  await rows(`update price_days set usd = usd where coin_id = 'coin-1'`)
  const manifest = await readFile(join(folder, 'manifest.json'), 'utf8')
  await writeFile(
    join(folder, 'manifest.json'),
    manifest.replaceAll(/"revision": "\d+:(?=\d+:)/g, '"revision": "0:'),
  )
  expect((await world.run(folder, () => start)).datasets.every(({ written }) => written === 0)).toBe(true)
  expect(await filesOf()).toEqual(before)

  await rows(`update price_days set usd = 3 where coin_id = 'coin-1' and at = '2026-02-03Z'`)
  const { datasets } = await world.run(folder, () => start)
  expect(datasets.filter(({ written }) => written > 0)).toMatchObject([{ name: 'price_days', written: 1 }])
  const after = await filesOf()
  const [replaced] = before.filter((file) => !after.includes(file))
  expect(replaced).toMatch(/^data\/price_days\/2026\.024-035\.[0-9a-f]{16}\.parquet$/)
  expect((await manifestOf(folder)).retired).toEqual({ [replaced!]: start.toISOString() })
  expect(existsSync(join(folder, replaced!))).toBe(true)

  // A damaged file is written again.
  const [lost] = after
  await writeFile(join(folder, lost!), 'cut')
  await world.run(folder, () => new Date(start.getTime() + HOUR_MS + 1))
  expect(existsSync(join(folder, replaced!))).toBe(false)
  expect((await world.verify(folder)).differences).toEqual([])
  expect(existsSync(join(folder, '.staging'))).toBe(false)
})

test('a transaction that commits during an export is in all of its tables or in none', async () => {
  const folder = world.newFolder()
  let isOver = false
  const writing = (async () => {
    for (let n = 0; !isOver; n++, await sleep(5))
      await rows(
        `with one as (insert into wallets (address) values ('pair-${n}') returning id)
         insert into quarantine (source, area, reason, payload, fetched_at) select 'pair', 'test', 'pair-${n}', '{}', now() from one`,
      )
  })()
  await world.run(folder)
  isOver = true
  await writing
  const [found] = await askCatalog(
    folder,
    `select (select count(*) from wallets where address like 'pair-%') as wallets,
       (select count(*) from quarantine where source = 'pair') as quarantined`,
  )
  expect(found!['wallets']).toBe(found!['quarantined'])
  const { differences, datasets } = await world.verify(folder)
  expect(differences).toEqual([])
  expect(datasets.find(({ name }) => name === 'wallets')).toMatchObject({ compared: 0, changedSince: 1 })
})

test('an export after random changes equals a first export', async () => {
  const change = fc.tuple(fc.integer({ min: 0, max: CHANGES.length - 1 }), fc.integer({ min: 0, max: 300 }))
  const folder = world.newFolder()
  await world.run(folder)
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 5, maxLength: 10 }), async (changes) => {
      for (const [kind, n] of changes) await rows(CHANGES[kind]!(n))
      await world.run(folder)
      const { differences, datasets } = await world.verify(folder)
      expect(differences).toEqual([])
      expect(datasets.every(({ changedSince }) => changedSince === 0)).toBe(true)
      const other = world.newFolder()
      await world.run(other)
      expect(await contentOf(folder)).toEqual(await contentOf(other))
    }),
    { numRuns: runs({ short: 1, long: 100 }) },
  )
})

test('verify finds a changed file, a missing row and a wrong number', async () => {
  const folder = world.newFolder()
  await world.run(folder)
  const manifest = await manifestOf(folder)
  const [file] = manifest.datasets['price_days']!.files
  const path = join(folder, file!.file)
  const content = await readFile(path)
  const found = async () => (await world.verify(folder)).differences

  await writeFile(path, Buffer.concat([content.subarray(0, -1), Buffer.from('x')]))
  expect(await found()).toContainEqual(expect.stringContaining('the SHA-256 differs'))
  await writeFile(path, content)
  expect(await found()).toEqual([])

  /** Writes the file like a faulty export would: with a correct checksum. */
  async function rewrite(
    select: string,
    change: Partial<Manifest['datasets'][string]['files'][number]> = {},
  ) {
    await writeFile(path, content)
    const duckdb = await (await DuckDBInstance.create(':memory:')).connect()
    await duckdb.run(`create table kept as ${select.replace('FILE', `'${path}'`)}`)
    await duckdb.run(`copy kept to '${path}' (format parquet)`)
    duckdb.closeSync()
    const sha256 = await sha256Of(path)
    const files = manifest.datasets['price_days']!.files.map((one) =>
      one === file ? { ...one, sha256, ...change } : one,
    )
    const datasets = { ...manifest.datasets, price_days: { ...manifest.datasets['price_days']!, files } }
    await writeFile(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, datasets }))
  }
  await rewrite('select * from FILE limit 50', { rows: 50 })
  expect(await found()).toContainEqual(expect.stringMatching(/50 rows in the file, \d+ in the database/))
  await rewrite(
    `select * replace ((usd + case when coin_id = 'coin-1' then 1 else 0 end * 0.0000000000000000000000000001)::decimal(38,28) as usd) from FILE`,
  )
  expect(await found()).toEqual([expect.stringMatching(/usd adds up to/)])
  await rewrite(
    `select * replace (case when coin_id = 'coin-1' then 'coin-9' else coin_id end as coin_id) from FILE`,
  )
  expect(await found()).toEqual([expect.stringMatching(/coin_id adds up to/)])
})
