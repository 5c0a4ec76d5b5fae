interface Rows<Row extends Record<string, unknown>> {
  table: string
  /** the columns of its primary key */
  key: readonly (keyof Row & string)[]
  /** values by column, as Postgres reads them from JSON; all with the same columns */
  rows: readonly Row[]
}

/** SQL that inserts rows, and gives the other columns of those that exist the new values, without a semicolon. */
export function printRows<Row extends Record<string, unknown>>({ table, key, rows }: Rows<Row>): string {
  const columns = Object.keys(rows[0]!)
  const values = rows.map((row) => JSON.stringify(row)).join(',\n')
  const changes = columns
    .filter((column) => !key.includes(column))
    .map((column) => `${column} = excluded.${column}`)
  const update = changes.length === 0 ? 'nothing' : `update set\n  ${changes.join(',\n  ')}`
  return `insert into ${table} (${columns.join(', ')})
select ${columns.join(', ')} from jsonb_populate_recordset(null::${table}, $rows$[
${values}
]$rows$)
on conflict (${key.join(', ')}) do ${update}`
}
