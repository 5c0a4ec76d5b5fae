import { execFile } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cacheFolder } from '../../cli/folders.ts'

const run = promisify(execFile)

/**
 * Installs pinned PyPI packages on first use, in a virtual environment outside of the tree. Returns the
 * folder of its programs.
 */
export async function installPythonTool(tool: {
  name: string
  requirements: readonly string[]
}): Promise<string> {
  const folder = join(cacheFolder(), tool.name)
  const programs = join(folder, 'bin')
  // Written last: an installation that broke off is repeated.
  const installed = join(folder, 'installed')
  if (existsSync(installed)) return programs
  console.log(`installing ${tool.requirements.join(' and ')} into ${folder}`)
  await run('python3', ['-m', 'venv', folder])
  await run(join(programs, 'pip'), ['install', '--quiet', ...tool.requirements])
  writeFileSync(installed, '')
  return programs
}
