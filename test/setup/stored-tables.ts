import { isPresent, PASSING, settledRows, STAMPS } from './moves-with-clock.ts'
import { query } from './query.ts'

export interface StoredTable {
  rows: number
  /** Whether all rows are of one kind: a series has newer ones. */
  isSeries: boolean
  /** Of all rows that are compared, without the columns that move with the clock. */
  digest: string
  /** The same of each column that is compared. */
  columns: Map<string, string>
}

/**
 * Every table of an installation by its name, parts of a partitioned one together, without what moves with the clock
 * since a moment, and without the columns in `besides`. A number that a row was given is of the order in which rows came: whoever refers to it is compared by
 * the other key of that row.
 */
export async function storedTables(
  url: string,
  begunAt: Date,
  besides: Readonly<Record<string, readonly string[]>> = {},
): Promise<Map<string, StoredTable>> {
  const tables = await query<{ name: string; columns: string[] }>(
    url,
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
       and a.attidentity = '' and a.attname <> all($1) and c.relname <> all($2)
     group by c.relname order by c.relname`,
    [STAMPS, PASSING],
  )
  const references = await readReferences(url)
  const stored = new Map<string, StoredTable>()
  for (const { name, columns } of tables) {
    const kept = columns.filter((column) => !isPresent(name, column) && !besides[name]?.includes(column))
    const values = kept.map((column) => {
      const other = references.get(`${name}.${column}`) ?? UNCONSTRAINED[column]
      if (other === undefined) return `t."${column}"`
      return `(select row(${other.key.join(', ')})::text from "${other.table}" as o where o.id = t."${column}")`
    })
    const digestOf = (one: string) => `md5(coalesce(string_agg(${one}, '' order by ${one}), ''))`
    const each = kept.map((_, i) => digestOf(`md5(all_of.c${i}::text)`))
    const settled = settledRows(name, begunAt)
    const [found] = await query<{ rows: number; digest: string; each: string[] }>(
      url,
      `select (select count(*)::integer from "${name}") as rows,
         ${digestOf('md5(all_of::text)')} as digest, array[${each.join(', ')}]::text[] as each
       from (
         select ${values.map((value, i) => `${value} as c${i}`).join(', ')} from "${name}" as t
         where ${settled ?? 'true'}
       ) as all_of`,
    )
    const { rows, digest } = found!
    stored.set(name, {
      rows,
      isSeries: settled !== null,
      digest,
      columns: new Map(kept.map((column, i) => [column, found!.each[i]!])),
    })
  }
  return stored
}

const WALLET_OF = '(select w.address from wallets as w where w.id = o.wallet_id)'

/**
 * Areas refer to wallets without a constraint, so that each can be removed by itself; partitions to books and prices to
 * their markets, for speed.
 */
const UNCONSTRAINED: Record<string, { table: string; key: string[] }> = {
  market_id: { table: 'prediction_markets', key: ['o.venue', 'o.venue_market_id'] },
  wallet_id: { table: 'wallets', key: ['o.address'] },
  book_id: { table: 'books', key: [WALLET_OF, 'o.network_id'] },
}

/** Where two of them differ, a line for each table. */
export function differences(one: Map<string, StoredTable>, other: Map<string, StoredTable>): string[] {
  const lines: string[] = []
  for (const [name, table] of one) {
    const { rows, digest, columns } = other.get(name)!
    if (!table.isSeries && rows !== table.rows) lines.push(`${name}: ${table.rows} rows and ${rows}`)
    else if (digest !== table.digest) {
      const changed = [...table.columns].filter(([column, its]) => columns.get(column) !== its)
      lines.push(
        `${name}: ${changed.map(([column]) => column).join(', ') || 'which values stand in one row'}`,
      )
    }
  }
  return lines
}

/** Names of the tables that have rows. */
export const filledTables = (tables: Map<string, StoredTable>): string[] =>
  [...tables].filter(([, { rows }]) => rows > 0).map(([name]) => name)

/** Which columns refer to a number that was given, by table and column, and what else names the row that has it. */
async function readReferences(url: string): Promise<Map<string, { table: string; key: string[] }>> {
  const rows = await query<{ column: string; table: string; key: string[] }>(
    url,
    `select c.conrelid::regclass || '.' || a.attname as column, c.confrelid::regclass::text as table, k.key
     from pg_constraint c
     join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
     join pg_attribute id on id.attrelid = c.confrelid and id.attnum = c.confkey[1] and id.attidentity <> ''
     join lateral (
       select array_agg(
         case one.attname when 'wallet_id' then $1 else 'o.' || quote_ident(one.attname) end order by one.attnum) as key
       from pg_index i join pg_attribute one on one.attrelid = i.indrelid and one.attnum = any(i.indkey)
       where i.indrelid = c.confrelid and i.indisunique and not i.indisprimary and i.indpred is null
       group by i.indexrelid order by i.indexrelid limit 1
     ) as k on true
     where c.contype = 'f' and cardinality(c.conkey) = 1`,
    [WALLET_OF],
  )
  return new Map(rows.map(({ column, ...other }) => [column, other]))
}
