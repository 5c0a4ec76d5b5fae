const COPY = /^(COPY (\S+) .* FROM stdin;)\n([\s\S]*?)^\\\.\n/gm

/** A piece of what pg_dump writes: statements, or the rows of one table. */
export type Piece = { sql: string } | { copy: string; table: string; rows: string }

/** The pieces in their order. */
export function piecesOf(dump: string): Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const match of dump.matchAll(COPY)) {
    pieces.push({ sql: statements(dump.slice(end, match.index)) })
    pieces.push({ copy: match[1]!, table: match[2]!, rows: match[3]! })
    end = match.index + match[0].length
  }
  return [...pieces, { sql: statements(dump.slice(end)) }]
}

/** The same dump with other rows. */
export const mapRows = (dump: string, map: (table: string, rows: string[]) => string[]): string =>
  dump.replace(COPY, (_all, copy: string, table: string, rows: string) => {
    const kept = map(
      table,
      rows.split('\n').filter((row) => row !== ''),
    )
    return `${[copy, ...kept].join('\n')}\n\\.\n`
  })

/** Without what only psql understands. */
const statements = (text: string): string => text.replace(/^\\(?:un)?restrict .*$/gm, '')
