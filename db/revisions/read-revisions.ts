import { hash } from 'node:crypto'
import type { ReadonlyDb } from '../schema.ts'
import { prepared, readText } from '../read-sql.ts'

/** SQL of a value: the revisions of all tables as one text. */
export const REVISIONS_TEXT = `(
  select coalesce(string_agg(table_name || ' ' || revision, E'\\n' order by table_name, slot), '') from table_revisions
)`
const REVISIONS = prepared('read-revisions', `select ${REVISIONS_TEXT} as text`)

/** The revisions of all tables as one text: a line of a table's name and a revision for each slot. */
export async function readRevisions(db: ReadonlyDb): Promise<string> {
  const [row] = await readText<{ text: string }>(db, { text: REVISIONS, values: [] })
  return row!.text
}

/** Revisions as they were read, and what was derived from them. */
export interface Revisions {
  text: string
  byTable: Map<string, string>
  /** Of all tables of a list. */
  byReads: Map<readonly string[], string>
}

/** Parses the text of readRevisions. The newest text is parsed once. */
export function createRevisionsReader(): (text: string) => Revisions {
  let newest: Revisions | null = null
  return (text) => {
    if (newest?.text !== text) newest = { text, byTable: revisionsByTable(text), byReads: new Map() }
    return newest
  }
}

function revisionsByTable(text: string): Map<string, string> {
  const revisions = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [table, revision] = line.split(' ')
    if (revision !== undefined) revisions.set(table!, (revisions.get(table!) ?? '') + revision)
  }
  return revisions
}

/** The revision of some tables. Another one: their rows may differ. */
export function revisionIn({ byTable, byReads }: Revisions, reads: readonly string[]): string {
  let revision = byReads.get(reads)
  if (revision === undefined) {
    revision = hash('sha256', reads.map((table) => byTable.get(table) ?? '').join(' '), 'base64url')
    byReads.set(reads, revision)
  }
  return revision
}
