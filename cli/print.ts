interface As {
  /** One line of JSON on stdout, for programs; else for people. */
  json: boolean
}

/** Rows as a table with their keys as heads; for programs an array of objects. */
export function printRows(rows: readonly object[], { json }: As): void {
  console.log(json ? toJson(rows) : tableText(rows))
}

/** One object, a line for each key. */
export function printRecord(record: object, { json }: As): void {
  if (json) return console.log(toJson(record))
  const width = Math.max(...Object.keys(record).map((key) => key.length)) + 2
  for (const [key, value] of Object.entries(record)) console.log(`${key.padEnd(width)}${textOf(value)}`)
}

/** Integers beyond a double are strings. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? one.toString() : one))
}

/** Columns as wide as what is in them; numbers stand at the right. */
export function tableText(rows: readonly object[]): string {
  const heads = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  if (heads.length === 0) return 'none'
  const columns = heads.map((head) => {
    const values = rows.map((row) => (row as Record<string, unknown>)[head])
    const cells = [head, ...values.map(textOf)]
    const isNumber = values.every(
      (value) => value == null || typeof value === 'number' || typeof value === 'bigint',
    )
    const width = Math.max(...cells.map((cell) => cell.length))
    return cells.map((cell) => (isNumber ? cell.padStart(width) : cell.padEnd(width)))
  })
  const lines = columns[0]!.map((_, i) => columns.map((cells) => cells[i]).join('  '))
  return lines.map((line) => line.trimEnd()).join('\n')
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'object') return JSON.stringify(value)
  return String(value as string | number | bigint | boolean).replaceAll(/[\p{Cc}]+/gu, ' ')
}
