import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const file = z.object({
  partition: z.string().describe("UTC month as YYYY-MM, or 'all'"),
  file: z.string().describe('Path in the folder of the export'),
  rows: z.int(),
  bytes: z.int(),
  sha256: z.string(),
  revision: z.string().describe('Of what it was read from: other rows there, another revision'),
  unfit: z.int().describe('Rows with a number that its column cannot hold'),
})
export type ExportedFile = z.infer<typeof file>

const manifestSchema = z.object({
  format: z.literal(1),
  exportedAt: z.iso
    .datetime()
    .describe('Of the snapshot that all of it was read from, by the clock of the database'),
  snapshot: z.string().describe('pg_current_snapshot()'),
  schemaVersion: z.string().describe('The last migration of the database'),
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

/** What was last published in a folder; null: nothing yet. Throws where it cannot be read. */
export async function readManifest(folder: string): Promise<Manifest | null> {
  let text: string
  try {
    text = await readFile(join(folder, MANIFEST), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  return manifestSchema.parse(JSON.parse(text))
}
