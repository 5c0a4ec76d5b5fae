import type pg from 'pg'
import type { Dataset } from '../dataset.ts'
import type { ExportedFile } from '../manifest.ts'
import { coldDefinition } from './cold-tables.ts'

export interface ColdFile {
  dataset: string
  /** YYYY-MM */
  month: string
  file: string
  rows: number
  bytes: number
  movedAt: Date
  sha256: string
  unfit: number
  definition: string
}

/** The files that hold rows instead of their table, by dataset and month. */
export async function readColdFiles(client: pg.ClientBase | pg.Pool): Promise<ColdFile[]> {
  const { rows } = await (client as pg.Pool).query<ColdFile>(
    `select dataset, to_char(month, 'YYYY-MM') as month, file, rows::float8 as rows, bytes::float8 as bytes,
       moved_at as "movedAt", sha256, unfit::float8 as unfit, definition
     from cold_files order by dataset, month, file`,
  )
  return rows
}

/** Partition of a file of cold rows, which no partition of a table is called. */
export const coldPartition = (month: string): string => `cold-${month}`
/** Whether a data file may be the only place of its rows, so that an export must not remove it. */
export const isColdFile = (file: string): boolean => /^data\/[a-z_]+\/cold-/.test(file)

/**
 * The cold files of a dataset as files of an export. `present`: bytes of the files in its target. Throws unless
 * they are all there and have its columns.
 */
export function coldFilesOf(
  dataset: Dataset,
  all: readonly ColdFile[],
  present: ReadonlyMap<string, number>,
): ExportedFile[] {
  return all
    .filter((one) => one.dataset === dataset.name)
    .map(({ month, file, rows, bytes, sha256, unfit, definition }) => {
      if (present.get(file) !== bytes)
        throw new Error(
          `old rows of ${dataset.name} are in ${file}, which is not here: export where "sluice cold move" has put it, or copy the file`,
        )
      if (definition !== coldDefinition(dataset))
        throw new Error(
          `${file} lacks columns that ${dataset.name} has got since: run "sluice cold restore ${month}", then "sluice cold move"`,
        )
      return { partition: coldPartition(month), file, rows, bytes, sha256, revision: sha256, unfit }
    })
}
