import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cacheFolder } from '../../cli/folders.ts'

const run = promisify(execFile)
const VERSIONS = { 20: '20.20.2', 22: '22.23.3' } as const

/** Returns a Node of another version from the npm registry; 24: the pinned Node. */
export async function systemNode(major: 20 | 22 | 24): Promise<string> {
  if (major === 24) return process.execPath
  const name = `node-${process.platform === 'darwin' && process.arch === 'arm64' ? 'bin-' : ''}${process.platform}-${process.arch}`
  const folder = join(cacheFolder(), `node-${VERSIONS[major]}`)
  const program = join(folder, 'node_modules', name, 'bin', 'node')
  if (!existsSync(program))
    await run('npm', [
      'install',
      '--prefix',
      folder,
      '--no-save',
      '--ignore-scripts',
      `${name}@${VERSIONS[major]}`,
    ])
  return program
}
