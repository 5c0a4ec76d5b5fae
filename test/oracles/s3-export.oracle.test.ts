import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CATALOG } from '../../export/catalog.ts'
import { MANIFEST, readManifest } from '../../export/manifest.ts'
import { openTarget } from '../../export/open-target.ts'
import { CHANGES, exportWorld, insertHistory } from '../export/export-world.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { installPythonTool } from './install-python-tool.ts'
import { startS3Store } from './s3-store.ts'

// Exports into an independent S3 server, and reads them with DuckDB's S3 client.

const database = await testDatabase()
const s3 = await startS3Store()
const world = await exportWorld(database, s3.env)
const rows = (sql: string) => query(database.ownerUrl, sql)
const where = `s3://${s3.bucket}/daily/sluice`
const target = openTarget(where, s3.env)

beforeAll(() => insertHistory(database.ownerUrl))
afterAll(() => s3.stop())

/** Queries the catalog as an analyst would, with only the address and keys of the store. */
async function askStore(sql: string): Promise<unknown[]> {
  const programs = await installPythonTool({
    name: 'duckdb-httpfs-1.5.5',
    requirements: ['duckdb-extension-httpfs==1.5.5'],
  })
  const [extension] = globSync(join(programs, '../lib/python*/site-packages/**/httpfs.duckdb_extension'))
  const instance = await DuckDBInstance.create(':memory:')
  const duckdb = await instance.connect()
  try {
    await duckdb.run(`load '${extension}'`)
    await duckdb.run(
      `create secret (type s3, key_id '${s3.env.AWS_ACCESS_KEY_ID}', secret '${s3.env.AWS_SECRET_ACCESS_KEY}',
         region '${s3.env.AWS_REGION}', endpoint '${s3.host}', url_style 'path', use_ssl false)`,
    )
    await duckdb.run(`attach '${where}/${CATALOG}' as sluice (read_only); use sluice`)
    return (await duckdb.runAndReadAll(sql)).getRowObjectsJson()
  } finally {
    duckdb.closeSync()
    instance.closeSync()
  }
}

test('an export to S3 equals the database, and DuckDB can query it there', async () => {
  await world.run(where)
  const { differences, datasets } = await world.verify(where)
  expect(differences).toEqual([])
  expect(datasets.every(({ changedSince }) => changedSince === 0)).toBe(true)
  const stored = await rows(
    `select count(*)::text as n, max(usd)::numeric(38,28)::text as usd from price_days`,
  )
  const found = await askStore(`select count(*)::varchar as n, max(usd)::varchar as usd from price_days`)
  expect(found).toEqual(stored)
})

test('uploads only changed files, the manifest last, and deletes obsolete files', async () => {
  const start = new Date('2026-04-01T00:00:00Z')
  const names = async () => [...(await target.listData()).keys()].sort()
  await world.run(where, () => start)
  const before = await names()
  await rows(`update price_days set usd = 3 where coin_id = 'coin-1' and at = '2026-02-03Z'`)
  const { datasets } = await world.run(where, () => start)
  expect(datasets.filter(({ written }) => written > 0)).toMatchObject([{ name: 'price_days', written: 1 }])
  // The changed file, and what changed in it.
  expect((await names()).length).toBe(before.length + 2)
  await world.run(where, () => new Date(start.getTime() + 3_600_001))
  expect((await names()).length).toBe(before.length + 1)
  const listed = (await s3.store.listObjects('/', 'daily/sluice/'))!
  const newest = (name: string) => listed.find(({ Key }) => Key === `daily/sluice/${name}`)!.LastModified
  expect(new Date(newest(MANIFEST)) >= new Date(newest(CATALOG))).toBe(true)
  expect((await world.verify(where)).differences).toEqual([])
})

test('an export killed at any moment leaves a complete one, old or new, and the next export works', async () => {
  const startMs = Date.now()
  await world.run(where)
  const wholeMs = Date.now() - startMs
  let kills = 0
  for (let round = 0; round < 8; round++) {
    for (const [n, change] of CHANGES.entries()) if ((n + round) % 3 === 0) await rows(change(round * 7 + n))
    const before = (await readManifest(target))!
    const child = spawn(process.execPath, [join(import.meta.dirname, '../export/export-process.ts'), where], {
      env: { ...process.env, ...s3.env, DATABASE_URL: database.ingestUrl },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(child, 'exit')
    await once(child.stdout, 'data')
    await sleep((wholeMs * 1.3 * round) / 8)
    child.kill('SIGKILL')
    const [, signal] = await exited
    if (signal === 'SIGKILL') kills++
    expect((await world.verify(where)).differences).toEqual([])
    expect((await readManifest(target))!.exportedAt >= before.exportedAt).toBe(true)
    expect(await askStore('select count(*) > 0 as has from price_days')).toEqual([{ has: true }])
  }
  expect(kills).toBeGreaterThan(2)
  await world.run(where)
  const { differences, datasets } = await world.verify(where)
  expect(differences).toEqual([])
  expect(datasets.every(({ changedSince }) => changedSince === 0)).toBe(true)
}, 300_000)

test('wrong keys and a missing bucket give clear errors', async () => {
  const wrong = { ...s3.env, AWS_SECRET_ACCESS_KEY: 'another-secret-of-the-test' }
  await expect(openTarget(where, wrong).listData()).rejects.toThrow(/SignatureDoesNotMatch|403/)
  await expect(openTarget('s3://no-such-bucket/x', s3.env).listData()).rejects.toThrow(/no bucket/)
  expect(() => openTarget(where, {})).toThrow(/AWS_ACCESS_KEY_ID/)
})
