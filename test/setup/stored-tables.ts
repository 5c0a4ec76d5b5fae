import { isPresent, PASSING, settledRows, STAMPS } from './moves-with-clock.ts'
import { query } from './query.ts'

export interface StoredTable {
  rows: number
  /** A time series, in which newer rows are not compared. */
  isSeries: boolean
  /** Digest of all compared rows, without time-dependent columns. */
  digest: string
  /** Digest of each compared column. */
  columns: Map<string, string>
}

/**
 * Every table of an installation by name (partitions together), without data that depends on the time since
 * `begunAt`, and without the columns in `besides`. Generated ids depend on insertion order, so references are
 * compared by the other key of the referenced row.
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
 * References without a constraint: areas refer to wallets, so that each area can be removed alone; partitions
 * refer to books, and prices to their markets, for speed.
 */
const UNCONSTRAINED: Record<string, { table: string; key: string[] }> = {
  market_id: { table: 'prediction_markets', key: ['o.venue', 'o.venue_market_id'] },
  wallet_id: { table: 'wallets', key: ['o.address'] },
  book_id: { table: 'books', key: [WALLET_OF, 'o.network_id'] },
}

/** One line per table that differs. */
export function differences(one: Map<string, StoredTable>, other: Map<string, StoredTable>): string[] {
  const lines: string[] = []
  for (const [name, table] of one) {
    const { rows, digest, columns } = other.get(name)!
    if (!table.isSeries && rows !== table.rows) lines.push(`${name}: ${table.rows} rows and ${rows}`)
    else if (digest !== table.digest) {
      const changed = [...table.columns].filter(([column, its]) => columns.get(column) !== its)
      lines.push(
        `${name}: ${changed.map(([column]) => column).join(', ') || 'different combinations of values in a row'}`,
      )
    }
  }
  return lines
}

/** Names of the tables that have rows. */
export const filledTables = (tables: Map<string, StoredTable>): string[] =>
  [...tables].filter(([, { rows }]) => rows > 0).map(([name]) => name)

/** Columns that refer to a generated id, by `table.column`, with the referenced table and its other key. */
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
