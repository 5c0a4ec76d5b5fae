const TABLE = /^\|.*\|$(\n\|.*\|$)+/m

/** Puts fresh tables into a page. Each replaces the first table under its heading, or throws if there is none. */
export function replaceTables(page: string, tables: Readonly<Record<string, string>>): string {
  const parts = page.split(/^(?=##+ )/m)
  for (const [heading, table] of Object.entries(tables)) {
    const i = parts.findIndex((part) => part.replace(/^#+ /, '').startsWith(`${heading}\n`))
    if (i < 0 || !TABLE.test(parts[i]!))
      throw new Error(`the page needs a heading "${heading}" with a table below it`)
    parts[i] = parts[i]!.replace(TABLE, () => table)
  }
  return parts.join('')
}

/** Prints a Markdown table with columns of equal widths, as the formatter does. */
export function printTable(heads: readonly string[], rows: readonly string[][]): string {
  const widths = heads.map((head, i) => Math.max(head.length, ...rows.map((row) => row[i]!.length)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`
  return [line(heads), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
