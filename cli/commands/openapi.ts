import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { printOpenApi } from '../../api/print-openapi.ts'
import { ROOT } from '../folders.ts'

/** Writes docs/openapi.json from the route table. */
export async function run(): Promise<void> {
  await writeFile(join(ROOT, 'docs/openapi.json'), printOpenApi())
}
