import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandError } from '../command.ts'
import { ROOT } from '../folders.ts'
import { runTool } from '../run-tool.ts'

/** Runs test/bench/<name>/main.ts. */
export async function run([name = '', ...args]: string[]): Promise<number> {
  const folder = join(ROOT, 'test', 'bench')
  const file = join(folder, name, 'main.ts')
  if (name === '' || !existsSync(file)) {
    const entries = await readdir(folder, { withFileTypes: true })
    const names = entries
      .map((entry) => entry.name)
      .filter((entry) => existsSync(join(folder, entry, 'main.ts')))
    throw new CommandError(`there is no benchmark "${name}"; give one of: ${names.sort().join(', ')}`)
  }
  return (await runTool(process.execPath, [file, ...args])).code
}
