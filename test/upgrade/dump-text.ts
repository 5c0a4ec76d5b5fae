const COPY = /^(COPY (\S+) .* FROM stdin;)\n([\s\S]*?)^\\\.\n/gm

/** A part of the output of pg_dump: statements, or the rows of one table. */
export type Piece = { sql: string } | { copy: string; table: string; rows: string }

/** Splits a dump into its parts, in order. */
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

/** Replaces the rows of a dump. */
export const mapRows = (dump: string, map: (table: string, rows: string[]) => string[]): string =>
  dump.replace(COPY, (_all, copy: string, table: string, rows: string) => {
    const kept = map(
      table,
      rows.split('\n').filter((row) => row !== ''),
    )
    return `${[copy, ...kept].join('\n')}\n\\.\n`
  })

/** Removes the lines that only psql understands. */
const statements = (text: string): string => text.replace(/^\\(?:un)?restrict .*$/gm, '')
