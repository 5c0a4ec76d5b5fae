import { query } from '../setup/query.ts'

/** Columns that say when a row was written or read, in any table. */
const STAMPS = [
  'fetched_at',
  'recorded_at',
  'last_seen_at',
  'checked_at',
  'created_at',
  'updated_at',
  'at_risk',
]

export interface StoredTable {
  rows: number
  /** Of all rows, without the columns that are when they came. */
  digest: string
}

/** Every table of an installation by its name, parts of a partitioned one together. */
export async function storedTables(url: string): Promise<Map<string, StoredTable>> {
  const tables = await query<{ name: string; columns: string[] }>(
    url,
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
       and a.attidentity = '' and a.attname <> all($1)
     group by c.relname order by c.relname`,
    [STAMPS],
  )
  const stored = new Map<string, StoredTable>()
  for (const { name, columns } of tables) {
    const list = columns.map((column) => `"${column}"`).join(', ')
    const [found] = await query<{ rows: number; digest: string }>(
      url,
      `select count(*)::integer as rows, md5(coalesce(string_agg(md5(t::text), '' order by md5(t::text)), '')) as digest
       from (select ${list} from "${name}") as t`,
    )
    stored.set(name, found!)
  }
  return stored
}
