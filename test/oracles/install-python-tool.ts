import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cacheFolder } from '../../cli/folders.ts'

const run = promisify(execFile)

/**
 * Installs pinned PyPI packages on first use, in a virtual environment outside of the tree. Returns the
 * folder of its programs. `program` exists once everything is installed.
 */
export async function installPythonTool(tool: {
  name: string
  requirements: readonly string[]
  program: string
}): Promise<string> {
  const folder = join(cacheFolder(), tool.name)
  const programs = join(folder, 'bin')
  if (existsSync(join(programs, tool.program))) return programs
  console.log(`installing ${tool.requirements.join(' and ')} into ${folder}`)
  await run('python3', ['-m', 'venv', folder])
  await run(join(programs, 'pip'), ['install', '--quiet', ...tool.requirements])
  return programs
}
