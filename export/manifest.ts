import { z } from 'zod'
import type { Target } from './target.ts'

const file = z.object({
  partition: z
    .string()
    .describe("UTC year, with the days or the buckets of its keys where it is cut; or 'all'"),
  file: z.string().describe('Path in the export'),
  rows: z.int(),
  bytes: z.int(),
  sha256: z.string(),
  revision: z.string().describe('Of what it was read from: other rows there, another revision'),
  unfit: z.int().describe('Rows with a number that its column cannot hold'),
})
export type ExportedFile = z.infer<typeof file>

/** Another one: all files are written anew. */
export const FORMAT = 2

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  exportedAt: z.iso
    .datetime()
    .describe('Of the snapshot that all of it was read from, by the clock of the database'),
  snapshot: z.string().describe('pg_current_snapshot()'),
  schemaVersion: z.string().describe('The last migration of the database'),
  fileRows: z.int().describe('What partitions are cut by: how many rows a file may have'),
  datasets: z.record(
    z.string(),
    z.object({
      definition: z
        .string()
        .describe('Digest of its columns: another one, and all of its files are written anew'),
      rows: z.int(),
      files: z.array(file),
    }),
  ),
  retired: z
    .record(z.string(), z.iso.datetime())
    .describe('Files of earlier exports, and since when they are'),
})
export type Manifest = z.infer<typeof manifestSchema>

export const MANIFEST = 'manifest.json'

/** What was last published in this format; null: nothing yet. Throws where it cannot be read. */
export async function readManifest(target: Target): Promise<Manifest | null> {
  const text = await target.readText(MANIFEST)
  if (text === null) return null
  const found = z.looseObject({ format: z.int() }).parse(JSON.parse(text))
  return found.format === FORMAT ? manifestSchema.parse(found) : null
}
