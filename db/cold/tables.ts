/** A file of the exports with rows that are no longer in their table. */
export interface ColdFile {
  /** path within the exports */
  file: string
  dataset: string
  /** first day, UTC */
  month: Date
  rows: string
  bytes: string
  sha256: string
  unfit: string
  definition: string
  moved_at: Date
}

declare module '../schema.ts' {
  interface Database {
    cold_files: ColdFile
  }
}
