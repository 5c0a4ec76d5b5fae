import { z } from 'zod'
import type { Target } from './target.ts'

const file = z.object({
  partition: z.string().describe("UTC year, followed by its days or key buckets if it is cut; or 'all'"),
  file: z.string().describe('Path within the export'),
  rows: z.int(),
  bytes: z.int(),
  sha256: z.string(),
  revision: z.string().describe('Revision of the rows that it was read from; changes with them'),
  unfit: z.int().describe('Rows with a number that its column cannot hold'),
})
export type ExportedFile = z.infer<typeof file>

const changeFile = z.object({
  from: z.iso.datetime().describe('Export before its first change'),
  to: z.iso.datetime().describe('Export of its last change'),
  file: z.string().describe('Path within the export'),
  rows: z.int(),
  bytes: z.int(),
  sha256: z.string(),
})
export type ChangeFile = z.infer<typeof changeFile>

const changeFeed = z.object({
  from: z.iso.datetime().describe('The earliest export since which all changes are known'),
  files: z.array(changeFile).describe('Oldest first'),
})
export type ChangeFeed = z.infer<typeof changeFeed>

/** A new format writes all files again. */
export const FORMAT = 3

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  exportedAt: z.iso
    .datetime()
    .describe('Time of the snapshot that everything was read from, by the clock of the database'),
  snapshot: z.string().describe('pg_current_snapshot()'),
  schemaVersion: z.string().describe('Last migration of the database'),
  fileRows: z.int().describe('Rows that a file may have before its partition is cut'),
  datasets: z.record(
    z.string(),
    z.object({
      definition: z
        .string()
        .describe('Digest of its columns; when it changes, all its files are written again'),
      rows: z.int(),
      files: z.array(file),
      changes: changeFeed.optional().describe('Absent in exports of versions that kept none'),
    }),
  ),
  retired: z
    .record(z.string(), z.iso.datetime())
    .describe('Files of earlier exports, with the time since which they are retired'),
})
export type Manifest = z.infer<typeof manifestSchema>

export const MANIFEST = 'manifest.json'

/** Reads the last published manifest of this format; null: there is none. Throws if it cannot be read. */
export async function readManifest(target: Target): Promise<Manifest | null> {
  const text = await target.readText(MANIFEST)
  if (text === null) return null
  const found = z.looseObject({ format: z.int() }).parse(JSON.parse(text))
  return found.format === FORMAT ? manifestSchema.parse(found) : null
}
