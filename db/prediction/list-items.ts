import { type RawBuilder, sql } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'

/** Filters of the lists of markets and of events; the row is `m` in both. */
export interface ItemFilter {
  venue?: string | undefined
  status: string
  /** any case */
  category?: string | undefined
  /** at least one of them */
  tags?: readonly string[] | undefined
  search?: string | undefined
  minVolume24h?: string | undefined
  minLiquidity?: string | undefined
  endsAfter?: Date | undefined
  endsBefore?: Date | undefined
}

export function itemConditions(filter: ItemFilter): RawBuilder<boolean>[] {
  const { venue, status, category, tags, search, minVolume24h, minLiquidity, endsAfter, endsBefore } = filter
  const all: RawBuilder<boolean>[] = []
  if (status === 'resolved') all.push(sql`m.status in ('resolved', 'cancelled')`)
  else if (status !== 'all') all.push(sql`m.status = ${status}`)
  if (venue !== undefined) all.push(sql`m.venue = ${venue}`)
  if (category !== undefined) all.push(sql`lower(m.category) = ${category.toLowerCase()}`)
  if (tags) all.push(sql`m.tags && ${tags}::text[]`)
  if (search !== undefined) all.push(sql`m.search @@ websearch_to_tsquery('english', ${search})`)
  if (minVolume24h !== undefined) all.push(sql`m.volume_24h_usd >= ${minVolume24h}::numeric`)
  if (minLiquidity !== undefined) all.push(sql`m.liquidity_usd >= ${minLiquidity}::numeric`)
  if (endsAfter) all.push(sql`coalesce(m.end_at, '-infinity') > ${endsAfter}`)
  if (endsBefore) all.push(sql`coalesce(m.end_at, 'infinity') < ${endsBefore}`)
  return all
}

type Filter = ItemFilter & { eventSlug?: string | undefined }

const isCounted = (filter: Filter): boolean =>
  hasLabelsOnly(filter) && filter.tags === undefined && filter.search === undefined

/** Whether it depends only on what items are about and whether they are open: see triggers/prediction_markets.sql. */
const hasLabelsOnly = (filter: Filter): boolean =>
  [filter.minVolume24h, filter.minLiquidity, filter.endsAfter, filter.endsBefore, filter.eventSlug].every(
    (value) => value === undefined,
  )

/** What of the items the result of a query depends on: their labels, or all of their rows. */
export type DependsOn = 'labels' | 'rows'

const dependenceOf = (filter: Filter): DependsOn => (hasLabelsOnly(filter) ? 'labels' : 'rows')

/** Cached results of queries, which run once per version of what they depend on. */
export interface KeptLists {
  count(query: RawBuilder<{ items: number }>, on: DependsOn): Promise<number>
  ids(query: RawBuilder<ListOfIds>, on: DependsOn): Promise<Int32Array>
}

/** Ids as the text of one array, "{1,2}": the driver takes 10 ms for an array of 50,000. */
interface ListOfIds {
  ids: string
}

export const idsIn = ({ ids }: ListOfIds): Int32Array =>
  Int32Array.from(JSON.parse(`[${ids.slice(1, -1)}]`) as number[])

const listOf = (ids: RawBuilder<unknown>) => sql<ListOfIds>`select array(${ids})::text as ids`

/** Number of items that pass a filter. The counts of cheap filters are stored when data comes in. */
export async function countItems(
  db: ReadonlyDb,
  input: {
    kind: 'market' | 'event'
    table: string
    filter: Filter
    conditions: readonly RawBuilder<boolean>[]
    kept: Pick<KeptLists, 'count'>
  },
): Promise<number> {
  const { kind, table, filter, conditions } = input
  if (!isCounted(filter)) return input.kept.count(countWhere(table, conditions), dependenceOf(filter))
  const statuses =
    filter.status === 'all'
      ? ['']
      : filter.status === 'resolved'
        ? ['resolved', 'cancelled']
        : [filter.status]
  const rows = await readSql(
    db,
    sql<{ items: number }>`
      select coalesce(sum(items), 0)::int as items from prediction_counts
      where kind = ${kind} and venue = ${filter.venue ?? ''} and status = any(${statuses}::text[])
        and lower(category) = ${filter.category?.toLowerCase() ?? ''}`,
  )
  return rows[0]!.items
}

export const countWhere = (table: string, conditions: readonly RawBuilder<boolean>[]) =>
  sql<{ items: number }>`select count(*)::int as items from ${sql.table(table)} m where ${allOf(conditions)}`

const allOf = (conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> =>
  conditions.length === 0 ? sql`true` : sql.join([...conditions], sql` and `)

/** Rows that a page of a search or tag list may skip: each is looked up and its words are compared. */
const MAX_PASSED = 1_000
/** With more items than this, picking them from the order of all takes less time than sorting them. */
const FEW_ITEMS = 10_000

/**
 * The ids of one page with their places, as a table `page`; null after the last page. A page in the second
 * half is read from the end, so that no page skips more than half of the rows. Lists that an index alone
 * cannot page are sorted once per version of the data.
 */
export async function readPage(input: {
  table: string
  filter: Filter
  conditions: readonly RawBuilder<boolean>[]
  sort: RawBuilder<unknown>
  sortDir: 'asc' | 'desc'
  limit: number
  offset: number
  itemCount: number
  kept: KeptLists
}): Promise<RawBuilder<unknown> | null> {
  const { table, filter, conditions, sort, sortDir, limit, offset, itemCount, kept } = input
  const size = Math.min(limit, itemCount - offset)
  if (size <= 0) return null
  const fromEnd = offset > itemCount / 2
  const passed = fromEnd ? itemCount - offset - size : offset
  const ordered = (isFromEnd: boolean, some = conditions) => {
    const direction = sql.raw((sortDir === 'desc') === isFromEnd ? 'asc' : 'desc')
    return sql`select m.id from ${sql.table(table)} m where ${allOf(some)}
      order by ${sort} ${direction}, m.id ${direction}`
  }
  if (passed > MAX_PASSED && (filter.search !== undefined || filter.tags)) {
    if (itemCount > FEW_ITEMS && dependenceOf(filter) === 'labels') {
      const all = await kept.count(countWhere(table, []), 'labels')
      // Reaches every page from the nearer end, even if all that is not found comes first.
      const reach = Math.ceil(itemCount / 2) + limit + (all - itemCount)
      const [some, found] = await Promise.all([
        kept.ids(listOf(sql`${ordered(fromEnd, [])} limit ${reach}`), 'rows'),
        kept.ids(listOf(sql`select m.id from ${sql.table(table)} m where ${allOf(conditions)}`), 'labels'),
      ])
      const page = pick({ some, found, offset: passed, size })
      return pageOfIds(fromEnd ? page.reverse() : page)
    }
    const ids = await kept.ids(listOf(ordered(false)), 'rows')
    return pageOfIds([...ids.subarray(offset, offset + size)])
  }
  return sql`(
    select id, ${fromEnd ? sql`-row_number() over ()` : sql`row_number() over ()`} as place
    from (${ordered(fromEnd)} limit ${size} offset ${passed}) as ids
  ) as page`
}

/** Some of the ids that are found, in the order of `some`. */
function pick(input: { some: Int32Array; found: Int32Array; offset: number; size: number }): number[] {
  const { some, found, offset, size } = input
  const isFound = new Uint8Array(found.reduce((most, id) => Math.max(most, id), 0) + 1)
  for (const id of found) isFound[id] = 1
  const picked: number[] = []
  let passed = 0
  for (const id of some) {
    if (isFound[id] !== 1 || passed++ < offset) continue
    picked.push(id)
    if (picked.length === size) break
  }
  return picked
}

/** The item of a slug as a page of one. */
export const pageOfSlug = ({ table, slug }: { table: string; slug: string }): RawBuilder<unknown> =>
  sql`(select id, 1 as place from ${sql.table(table)} where slug = ${slug}) as page`

/** Items by their ids, in that order, as a page. */
export const pageOfIds = (ids: readonly number[]): RawBuilder<unknown> =>
  sql`unnest(${ids}::int[]) with ordinality as page (id, place)`
