import { hash } from 'node:crypto'
import { revisionsByTable } from '../db/revisions/read-revisions.ts'

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

/** The revision of some tables. Another one: their rows may differ. */
export function revisionIn({ byTable, byReads }: Revisions, reads: readonly string[]): string {
  let revision = byReads.get(reads)
  if (revision === undefined) {
    revision = digest(reads.map((table) => byTable.get(table) ?? '').join(' '))
    byReads.set(reads, revision)
  }
  return revision
}

export const digest = (content: string | Buffer): string => hash('sha256', content, 'base64url')
