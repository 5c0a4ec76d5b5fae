import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../folders.ts'
import { GENERATED_FILES } from '../generated-files.ts'

/** Writes the files that are generated from the tables of routes, commands, settings, networks and protocols. */
export async function run(): Promise<void> {
  for (const { file, print } of GENERATED_FILES) await writeFile(join(ROOT, file), await print())
}
