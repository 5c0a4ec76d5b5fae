import { afterAll, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { appendRows } from '../../db/copy-rows.ts'
import { transact } from '../../db/transact.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

const { ownerUrl } = await testDatabase()
await query(ownerUrl, 'create table notes (id integer primary key, note text not null)')
const { pool, close } = openDb({ url: ownerUrl, maxConnections: 4, applicationName: 'test' })
afterAll(close)

const append = (ids: readonly number[], note: string) =>
  transact(pool, ({ client }) =>
    appendRows(client, {
      ...{ table: 'notes', columns: ['id', 'note'], key: ['id'] },
      rows: () => ids.map((id) => [id, note]),
    }),
  )
const notes = () => query<{ id: number; note: string }>(ownerUrl, 'select id, note from notes order by id')
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

test('new rows are written, rows that are there stay as they are, and the counts say which', async () => {
  expect(await append(range(0, 100), 'a\tb\\')).toBe(100)
  expect(await append(range(0, 100), 'replayed')).toBe(0)
  expect(await append([...range(100, 150), ...range(50, 100)], 'mixed')).toBe(50)
  expect(await append([200, 200], 'twice')).toBe(1)
  const rows = await notes()
  expect(rows.map(({ id }) => id)).toEqual([...range(0, 150), 200])
  expect(rows.filter(({ note }) => note === 'a\tb\\').length).toBe(100)
  expect(rows.filter(({ note }) => note === 'mixed').length).toBe(50)
})

test('another failure than a clash is none of its business', async () => {
  await expect(append([1_000], null as unknown as string)).rejects.toMatchObject({ code: '23502' })
})

test('writers of the same rows in opposite orders both finish, and each row is there once', async () => {
  const ids = range(10_000, 40_000)
  const counts = await Promise.all([
    append(ids, 'one'),
    append(ids.toReversed(), 'two'),
    append(ids, 'three'),
    append(ids.toReversed(), 'four'),
  ])
  expect(counts.reduce((sum, count) => sum + count)).toBe(30_000)
  expect((await notes()).filter(({ id }) => id >= 10_000).map(({ id }) => id)).toEqual(ids)
})
