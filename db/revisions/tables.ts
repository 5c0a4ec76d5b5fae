/** A part of the revision of a table; see functions/note_revision.sql. */
export interface TableRevision {
  table_name: string
  slot: number
  revision: string
}

declare module '../schema.ts' {
  interface Database {
    table_revisions: TableRevision
  }
}
