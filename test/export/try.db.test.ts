import { expect, test } from 'vitest'
import { mkdtemp } from 'node:fs/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import { openDb } from '../../db/connect.ts'
import { runExport } from '../../export/run-export.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

const database = await testDatabase()
test('try', async () => {
  const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 2, applicationName: 'test' })
  await query(database.ownerUrl, `insert into coins (id, symbol, name, slug, last_seen_at, source, fetched_at, categories) values ('a', 'a', $1, 'x', now(), 's', now(), $2), ('b', '', E'l1\r\nl2\rl3\nl4 "q" \\ , é', 'x', now(), 's', now(), '{}')`, ['', ['k "1"', 'a,b', '']])
  await query(database.ownerUrl, `insert into fx_rates values ('EUR', '2026-01-01', 0.92, 's', now()), ('XXX', '2026-01-01', 0.12345678901234567890123, 's', now())`)
  const folder = await mkdtemp('/tmp/exp-try-')
  for (let i = 0; i < 2; i++) {
  const s = performance.now()
  const summary = await runExport({ pool, folder, now: () => new Date() })
  console.log(performance.now() - s, summary.datasets.map((d) => Object.values(d).join(' ')).join('\n'))
  }
  await close()
  const d = await (await DuckDBInstance.create(folder + '/catalog.duckdb', { access_mode: 'READ_ONLY' })).connect()
  for (const sql of ['select * from coins', 'select * from fx_rates', 'select * from holdings', 'select * from portfolio_months', `select comment from duckdb_columns() where table_name = 'fx_rates'`, 'select * from price_hours'])
    console.log((await d.runAndReadAll(sql)).getRowObjectsJson())
  expect(1).toBe(1)
})
