import type pg from 'pg'
import type { Cut, Dataset } from './dataset.ts'
import { quote, storedSql } from './fields.ts'

/** The smallest part of a dataset that a file can cover: a day of a year, or a 256th of its keys. */
export interface Cell {
  /** 'YYYY', or 'all'. */
  year: string
  /** Day of the year from 1 on, or hash of the key from 0 on. */
  n: number
}

/** The content of one file: consecutive cells of a year. */
export interface Partition {
  name: string
  year: string
  first: number
  last: number
  rows: number
  /** Identifies its rows: changes whenever they change. */
  revision: string
}

interface CountedCell extends Cell {
  rows: number
  /** Sum of a hash over its rows. */
  hash: bigint
}

const ALL = 'all'
/**
 * Most rows of a file if cutting can reach it: two row groups of Parquet, 10 to 25 MB. A change of one
 * wallet, or an hour of prices, writes this much again. With half of it, a hundred million rows would be a
 * thousand files.
 */
export const FILE_ROWS = 250_000
const BUCKETS = 256

/** Returns the partitions of a dataset with their revisions, ordered by name. Reads the whole table. */
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

/**
 * Halves a partition until each part has few enough rows or is one cell. A change of one part leaves the
 * others alone.
 */
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

/** Postgres SQL of the cell of a row, as the columns `year` and `n`. */
export function cellSql(dataset: Dataset): string {
  const { cut } = dataset
  if (cut === null) return `'${ALL}' as year, 0 as n`
  const at = `${atSql(dataset)} at time zone 'UTC'`
  const n = cut.key === undefined ? `date_part('doy', ${at})::int` : bucketSql(dataset)
  return `date_part('year', ${at})::int as year, ${n} as n`
}

/** Postgres SQL of the instant that decides the partition of a row. */
export const atSql = ({ cut, columns }: Dataset): string => storedSql(cut!.at, columns[cut!.at]!)

/** Postgres SQL of the bucket of a row's key; 0 if there is no key. */
export function bucketSql({ cut, columns }: Dataset): string {
  if (cut?.key === undefined) return '0'
  const key = quote(cut.key)
  const isText = columns[cut.key]!.type === 'text'
  return `(${isText ? `hashtextextended(${key}::text, 0)` : `hashint8extended(${key}, 0)`} & ${BUCKETS - 1})::int`
}

/**
 * Postgres SQL of a hash of a row. For a large table it hashes the stored version of the row: its place and
 * the transaction that wrote it. That takes 0.7 to 1.1 us a row, a sixth of COPY and half of reading all
 * columns. A row rewritten without a change gets another hash, but its file turns out to be the same. For
 * other datasets it hashes all exported columns.
 */
function hashSql(dataset: Dataset): string {
  if (isTable(dataset)) return `hashtidextended(ctid, (tableoid::bigint << 32) + xmin::text::bigint)`
  const stored = Object.entries(dataset.columns).map(([name, column]) => storedSql(name, column))
  return `hash_record_extended(row(${stored.join(', ')}), 0)`
}

const isTable = ({ from, cut }: Dataset): boolean => cut !== null && /^[a-z_]+$/.test(from)

/**
 * Returns the period in which these hashes are unique: the start time of the server. Restoring an older state
 * of the database, which needs a restart, reuses transaction numbers.
 */
async function readEpoch(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ epoch: string }>(
    `select (extract(epoch from pg_postmaster_start_time()) * 1000000)::bigint as epoch`,
  )
  return rows[0]!.epoch
}

/**
 * Returns the SQL condition of a partition. `at`: SQL of the instant that decides the year; `bucket`: SQL of
 * the bucket of a row.
 */
export function conditionOf(
  { cut }: Dataset,
  { year, first, last }: Partition,
  { at, bucket }: { at: string; bucket: string },
): string {
  if (cut === null) return 'true'
  const [from, to] = cut.key === undefined ? [first, last] : [1, 366]
  const start = (day: number) => new Date(Date.UTC(Number(year), 0, day)).toISOString().slice(0, 10)
  const end = to === 366 ? `${Number(year) + 1}-01-01` : start(to + 1)
  const span = `${at} >= timestamptz '${start(from)} 00:00:00Z' and ${at} < timestamptz '${end} 00:00:00Z'`
  return cut.key === undefined ? `(${span})` : `(${span} and ${bucket} between ${first} and ${last})`
}
