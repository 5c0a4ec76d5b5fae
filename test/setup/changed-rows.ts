import { query } from './query.ts'

/**
 * The ids of the rows that some work inserts, changes or deletes, of all owners. `tables`: SQL that names a row of each
 * table.
 */
export async function changedRows(
  { ownerUrl }: { ownerUrl: string },
  tables: Readonly<Record<string, string>>,
  work: () => Promise<unknown>,
): Promise<string[]> {
  const parts = Object.entries(tables).map(
    ([table, id]) => `select (${id})::text as id, '${table} ' || to_jsonb(t)::text as row from ${table} t`,
  )
  const read = async (): Promise<Map<string, string>> => {
    const rows = await query<{ id: string; row: string }>(ownerUrl, parts.join(' union all '))
    return new Map(rows.map(({ id, row }) => [row, id]))
  }
  const before = await read()
  await work()
  const after = await read()
  const only = (own: typeof before, other: typeof before) =>
    [...own].flatMap(([row, id]) => (other.has(row) ? [] : [id]))
  return [...only(before, after), ...only(after, before)]
}
