import { appendFile, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { deriveFromVolumes } from '../../db/tickers/write-exchanges.ts'
import { openDb } from '../../db/connect.ts'
import { readColdFiles } from '../../export/cold/cold-files.ts'
import { COLD_TABLES, storedColumns } from '../../export/cold/cold-tables.ts'
import { movableMonths, moveMonth } from '../../export/cold/move-cold.ts'
import { restoreFile } from '../../export/cold/restore-cold.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { VOLUMES } from './cold-stocks.ts'
import { BEFORE, coldWorld, movesAndRestores } from './cold-world.ts'

// Old rows leave their table for files of the exports, and come back. test/export/cold.crash.test.ts does it with a million.

const OLD = 3_000
const TABLE = VOLUMES.table
const database = await testDatabase()
const world = await coldWorld(database, VOLUMES)
beforeAll(() => world.insert(OLD))

test('a kill after any step of moving and restoring loses nothing, and exports have all rows', async () => {
  await movesAndRestores(world, { old: OLD, exportsAfter: (step) => step === 'noted' })
}, 1_800_000)

test('every column of a table that may move is in its files as it is', async () => {
  for (const { dataset, key } of COLD_TABLES) {
    const columns = storedColumns(dataset).map(({ stored }) => stored)
    const found = await world.rows<{ name: string; is_key: boolean }>(
      `select attname as name, attnum = any(conkey) as is_key from pg_attribute
       join pg_constraint on conrelid = attrelid and contype = 'p'
       where attrelid = '${dataset.from}'::regclass and attnum > 0 and not attisdropped`,
    )
    expect(found.map(({ name }) => name).sort()).toEqual(columns.toSorted())
    expect(found.flatMap(({ name, is_key }) => (is_key ? [name] : [])).sort()).toEqual(key.toSorted())
  }
})

test('what is served is the same without the rows that have moved', async () => {
  const { db, close } = openDb({ url: database.ingestUrl, maxConnections: 1, applicationName: 'test' })
  const served = async () => {
    await world.rows('update ticker_exchanges set change_24h = null, volume_7d_usd = null')
    await deriveFromVolumes(db)
    return world.rows('select * from ticker_exchanges order by id')
  }
  // Nine days up to the newest instant of the exchange, from its own source.
  await world.rows(
    `insert into ticker_exchange_volumes (exchange_id, source, at, volume_24h_usd, fetched_at)
     select 'one', 'test', timestamptz '2026-02-09Z' - n * interval '1 h', 100 + n, now() from generate_series(0, 216) as n`,
  )
  const before = await served()
  expect(before.some((one) => one['volume_7d_usd'] !== null)).toBe(true)
  await world.moveAll()
  expect(await served()).toEqual(before)
  await world.restoreAll()
  await world.rows(`delete from ticker_exchange_volumes where source = 'test'`)
  await close()
})

test('a row that changes while its month moves keeps the month where it is', async () => {
  const whole = await world.digest()
  const change = (sign: string) =>
    query(
      database.ownerUrl,
      `update ticker_exchange_volumes set volume_24h_usd = volume_24h_usd ${sign} 1
       where (exchange_id, at) = (select exchange_id, at from ticker_exchange_volumes
         where exchange_id = 'one' and at >= '2025-05-01Z' order by at limit 1)`,
    )
  const { pool, target } = world
  const tell = async (step: string) => {
    if (step === 'written') await change('+')
  }
  await expect(moveMonth({ pool, target, table: TABLE, tell }, '2025-05')).rejects.toThrow(
    'Nothing was moved: try again',
  )
  expect(await readColdFiles(pool)).toEqual([])
  await change('-')
  expect(await world.digest()).toEqual(whole)
})

test('a damaged or missing file is neither trusted nor exported, and the rows of the others come back', async () => {
  const whole = await world.digest()
  const { pool, target } = world
  await moveMonth({ pool, target, table: TABLE }, '2025-02')
  await moveMonth({ pool, target, table: TABLE }, '2025-03')
  const [one, other] = await readColdFiles(pool)
  const path = join(world.folder, one!.file)
  const content = await readFile(path)
  await appendFile(path, 'x')
  await expect(restoreFile({ pool, target }, one!)).rejects.toThrow('is not what was written')
  await expect(world.run()).rejects.toThrow('which is not here')
  await rename(path, `${path}.away`)
  await expect(restoreFile({ pool, target }, one!)).rejects.toThrow('is not what was written')
  expect(await restoreFile({ pool, target }, other!)).toBe(true)
  expect(await restoreFile({ pool, target }, other!)).toBe(false)
  expect(await readColdFiles(pool)).toEqual([one])
  await writeFile(path, content)
  expect(await restoreFile({ pool, target }, one!)).toBe(true)
  expect(await world.digest()).toEqual(whole)
})

test('rows that come late to a month that has moved make a file of their own', async () => {
  const { pool, target } = world
  await world.moveAll()
  await world.rows(`update ticker_exchanges set charted_at = now() where id = 'uncharted'`)
  expect(await movableMonths(pool, { table: TABLE, before: BEFORE })).toEqual(['2025-03'])
  await moveMonth({ pool, target, table: TABLE }, '2025-03')
  expect(await moveMonth({ pool, target, table: TABLE }, '2025-03')).toBeNull()
  const march = (await readColdFiles(pool)).filter(({ month }) => month === '2025-03')
  expect(march).toHaveLength(2)
  await world.expectAll({ rows: String(OLD + 150) })
  await world.restoreAll()
})
