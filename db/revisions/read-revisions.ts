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

/** Revisions by table, from the text of all. */
export function revisionsByTable(text: string): Map<string, string> {
  const revisions = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [table, revision] = line.split(' ')
    if (revision !== undefined) revisions.set(table!, (revisions.get(table!) ?? '') + revision)
  }
  return revisions
}
