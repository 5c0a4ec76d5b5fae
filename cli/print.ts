interface As {
  /** true: one line of JSON; false: text for people. */
  json: boolean
}

/** Prints rows as a table with their keys as heads, or as a JSON array of objects. */
export function printRows(rows: readonly object[], { json }: As): void {
  console.log(json ? toJson(rows) : tableText(rows))
}

/** Prints one object with a line for each key, or as JSON. */
export function printRecord(record: object, { json }: As): void {
  if (json) return console.log(toJson(record))
  const width = Math.max(...Object.keys(record).map((key) => key.length)) + 2
  for (const [key, value] of Object.entries(record)) console.log(`${key.padEnd(width)}${textOf(value)}`)
}

/** Says that something is done: in words, or as what it was done to. Without words it is silent, except as JSON. */
export function printDone(done: object, words: string | null, { json }: As): void {
  if (json) console.log(toJson(done))
  else if (words !== null) console.log(words)
}

/** Formats as JSON; bigints become strings, because a double cannot hold them. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? one.toString() : one))
}

/** Formats a table with columns as wide as their content; numbers are aligned to the right. */
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
