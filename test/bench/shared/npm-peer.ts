import { execFile } from 'node:child_process'
import { access } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../../../cli/folders.ts'

const run = promisify(execFile)

/**
 * Installs a peer from npm on first use and returns its folder. Throws if that fails. `packageName`: the
 * measured package
 */
export async function npmPeer(name: string, packageName = name): Promise<string> {
  const folder = join(ROOT, 'test', 'bench', 'peers', name)
  await access(join(folder, 'node_modules', packageName)).catch(() =>
    run('npm', ['ci', '--no-audit', '--no-fund'], {
      cwd: folder,
      env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` },
      timeout: 180_000,
    }),
  )
  return folder
}
