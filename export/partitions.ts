import type pg from 'pg'
import type { Cut, Dataset } from './dataset.ts'
import { quote, storedSql } from './fields.ts'

/** The smallest part of a dataset that a file can be for: a day of a year, or a 256th of its keys. */
export interface Cell {
  /** 'YYYY', or 'all'. */
  year: string
  /** Day of the year from 1 on, or hash of the key from 0 on. */
  n: number
}

/** What one file is for: some cells of a year, one after the other. */
export interface Partition {
  name: string
  year: string
  first: number
  last: number
  rows: number
  /** Says what is in it: other rows, another revision. */
  revision: string
}

interface CountedCell extends Cell {
  rows: number
  /** Sum of a hash over its rows. */
  hash: bigint
}

const ALL = 'all'
/**
 * A file has at most so many rows where a cut can make it so: two of a Parquet file's groups, 10 to 25 MB. It is what a change of
 * one wallet, or an hour of prices, writes again; with half as many, a hundred million rows would be a thousand files.
 */
export const FILE_ROWS = 250_000
const BUCKETS = 256

/** The partitions of a dataset with their revisions, in the order of their names. Reads the whole table. */
export async function readPartitions(
  client: pg.ClientBase,
  dataset: Dataset,
  fileRows: number,
): Promise<Partition[]> {
  const { rows } = await client.query<{ year: string; n: number; rows: string; hash: string }>(
    `select year::text, n, count(*) as rows, sum(hash) as hash
     from (select ${cellSql(dataset)}, ${hashSql(dataset)} as hash from ${dataset.from}) as hashed
     group by hashed.year, n`,
  )
  const cells = rows.map((row) => ({ ...row, rows: Number(row.rows), hash: BigInt(row.hash) }))
  if (cells.length === 0) return []
  if (dataset.cut === null) return [toPartition({ name: ALL, year: ALL, first: 0, last: 0 }, cells)]
  const range = rangeOf(dataset.cut)
  const partitions = [...Map.groupBy(cells, ({ year }) => year)].flatMap(([year, its]) => {
    const whole = toPartition({ name: year, year, first: range[0], last: range[1] }, its)
    return whole.rows <= fileRows ? [whole] : halve(whole, its, fileRows)
  })
  const epoch = isTable(dataset) ? `${await readEpoch(client)}:` : ''
  return partitions
    .map((one) => ({ ...one, revision: `${epoch}${one.revision}` }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Halves until none has too many rows or is one cell: where the rows of one change, those of others stay as they are. */
function halve(
  { year, first, last }: Partition,
  cells: readonly CountedCell[],
  fileRows: number,
): Partition[] {
  const middle = (first + last) >> 1
  return [[first, middle] as const, [middle + 1, last] as const].flatMap(([from, to]) => {
    const its = cells.filter(({ n }) => n >= from && n <= to)
    if (its.length === 0) return []
    const name = `${year}.${[from, to].map((n) => String(n).padStart(3, '0')).join('-')}`
    const half = toPartition({ name, year, first: from, last: to }, its)
    return half.rows <= fileRows || from === to ? [half] : halve(half, its, fileRows)
  })
}

function toPartition(
  about: Pick<Partition, 'name' | 'year' | 'first' | 'last'>,
  cells: readonly CountedCell[],
): Partition {
  const rows = cells.reduce((sum, cell) => sum + cell.rows, 0)
  const hash = cells.reduce((sum, cell) => sum + cell.hash, 0n)
  return { ...about, rows, revision: `${rows}:${hash}` }
}

const rangeOf = ({ key }: Cut): readonly [first: number, last: number] =>
  key === undefined ? [1, 366] : [0, BUCKETS - 1]

export const holds = ({ year, first, last }: Partition, cell: Cell): boolean =>
  cell.year === year && cell.n >= first && cell.n <= last

/** SQL in Postgres of the cell that a row is in, as the columns `year` and `n`. */
export function cellSql(dataset: Dataset): string {
  const { cut } = dataset
  if (cut === null) return `'${ALL}' as year, 0 as n`
  const at = `${quote(cut.at)} at time zone 'UTC'`
  const n = cut.key === undefined ? `date_part('doy', ${at})::int` : bucketSql(dataset)
  return `date_part('year', ${at})::int as year, ${n} as n`
}

/** SQL in Postgres of the bucket that a row's key is in; 0 where there is no key. */
export function bucketSql({ cut, columns }: Dataset): string {
  if (cut?.key === undefined) return '0'
  const key = quote(cut.key)
  const isText = columns[cut.key]!.type === 'text'
  return `(${isText ? `hashtextextended(${key}::text, 0)` : `hashint8extended(${key}, 0)`} & ${BUCKETS - 1})::int`
}

/**
 * SQL in Postgres of a number for what a row is. Of a large table: for the version that is stored of it, by where and by whom
 * it was written: 0.7 to 1.1 us a row in all, a sixth of what COPY takes, and half of what reading all columns does. A row
 * that was written again as it was is another one, whose file turns out to be the same. Else for all that is exported of it.
 */
function hashSql(dataset: Dataset): string {
  if (isTable(dataset)) return `hashtidextended(ctid, (tableoid::bigint << 32) + xmin::text::bigint)`
  const stored = Object.entries(dataset.columns).map(([name, column]) => storedSql(name, column))
  return `hash_record_extended(row(${stored.join(', ')}), 0)`
}

const isTable = ({ from, cut }: Dataset): boolean => cut !== null && /^[a-z_]+$/.test(from)

/**
 * Within which versions of rows are told apart so. Numbers of transactions come back where a database is set back to an older
 * state, for which its server must start anew.
 */
async function readEpoch(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ epoch: string }>(
    `select (extract(epoch from pg_postmaster_start_time()) * 1000000)::bigint as epoch`,
  )
  return rows[0]!.epoch
}

/** The condition of a partition on `column`, an instant stored as `type`, and on the bucket of the row. */
export function conditionOf(
  { cut }: Dataset,
  { year, first, last }: Partition,
  { type, bucket }: { type: 'timestamptz' | 'timestamp'; bucket: string },
): string {
  if (cut === null) return 'true'
  const [from, to] = cut.key === undefined ? [first, last] : [1, 366]
  const start = (day: number) => new Date(Date.UTC(Number(year), 0, day)).toISOString().slice(0, 10)
  const end = to === 366 ? `${Number(year) + 1}-01-01` : start(to + 1)
  const zone = type === 'timestamptz' ? 'Z' : ''
  const at = quote(cut.at)
  const span = `${at} >= ${type} '${start(from)} 00:00:00${zone}' and ${at} < ${type} '${end} 00:00:00${zone}'`
  return cut.key === undefined ? `(${span})` : `(${span} and ${bucket} between ${first} and ${last})`
}
