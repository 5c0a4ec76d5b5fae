import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { appendRows, copyRows, type CopyValue } from '../../db/copy-rows.ts'
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
      table: 'notes',
      columns: ['id', 'note'],
      key: ['id'],
      rows: () => ids.map((id) => [id, note]),
    }),
  )
const notes = () => query<{ id: number; note: string }>(ownerUrl, 'select id, note from notes order by id')
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

test('writes new rows, keeps existing rows, and returns the number written', async () => {
  expect(await append(range(0, 100), 'a\tb\\')).toBe(100)
  expect(await append(range(0, 100), 'replayed')).toBe(0)
  expect(await append([...range(100, 150), ...range(50, 100)], 'mixed')).toBe(50)
  expect(await append([200, 200], 'twice')).toBe(1)
  const rows = await notes()
  expect(rows.map(({ id }) => id)).toEqual([...range(0, 150), 200])
  expect(rows.filter(({ note }) => note === 'a\tb\\').length).toBe(100)
  expect(rows.filter(({ note }) => note === 'mixed').length).toBe(50)
})

test('errors other than conflicts are thrown', async () => {
  await expect(append([1_000], null as unknown as string)).rejects.toMatchObject({ code: '23502' })
})

test('two writers of the same rows in opposite order both finish, and each row exists once', async () => {
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

// Every type of column that is written, with values that a text format could damage.
await query(
  ownerUrl,
  `create table kinds (id integer primary key, note text, amount numeric, whole bigint, ratio double precision,
     is_so boolean, at timestamptz, words text[], body jsonb, bytes bytea, day date)`,
)
const KINDS = ['id', 'note', 'amount', 'whole', 'ratio', 'is_so', 'at', 'words', 'body', 'bytes', 'day']
const words = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', ''))
const nullable = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 4 })
const kinds = fc.tuple(
  nullable(words),
  nullable(fc.bigInt(-(10n ** 40n), 10n ** 40n).map((coefficient) => `${coefficient}e-18`)),
  nullable(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n)),
  nullable(fc.double({ noNaN: true, noDefaultInfinity: true })),
  nullable(fc.boolean()),
  nullable(fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })),
  nullable(fc.array(words)),
  nullable(fc.jsonValue().map((value) => JSON.stringify(value).replaceAll('\\u0000', ''))),
  nullable(fc.uint8Array().map((bytes) => `\\x${Buffer.from(bytes).toString('hex')}`)),
  nullable(fc.constantFrom('2024-02-29', '1970-01-01')),
)

test('few rows and many rows are written alike, whatever their values', async () => {
  const write = async (rows: readonly CopyValue[][], many: boolean) => {
    await query(ownerUrl, 'truncate kinds')
    // An iterator has no known length, so it takes the path for many rows.
    const given = many ? rows.values() : rows
    await transact(pool, ({ client }) =>
      copyRows(client, { table: 'kinds', columns: KINDS, key: ['id'], update: ['note'], rows: given }),
    )
    return query<object>(ownerUrl, 'select kinds::text from kinds order by id')
  }
  await fc.assert(
    fc.asyncProperty(fc.array(kinds, { maxLength: 12 }), async (list) => {
      const rows = list.map((values, id) => [id, ...values])
      expect(await write(rows, false)).toEqual(await write(rows, true))
    }),
    { numRuns: 40 },
  )
})

test('of few rows with the same key only one is written, and the count is correct', async () => {
  const write = (rows: CopyValue[][]) =>
    transact(pool, ({ client }) =>
      copyRows(client, { table: 'notes', columns: ['id', 'note'], key: ['id'], update: ['note'], rows }),
    )
  expect(
    await write([
      [70_001, 'a'],
      [70_001, 'a'],
      [70_002, 'b'],
    ]),
  ).toBe(2)
  expect(
    await write([
      [70_002, 'b'],
      [70_001, 'c'],
    ]),
  ).toBe(1)
  expect(await write([])).toBe(0)
  expect((await notes()).filter(({ id }) => id > 70_000).map(({ note }) => note)).toEqual(['c', 'b'])
})
