import { execFile } from 'node:child_process'
import { chmod, chown, copyFile, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cacheFolder } from '../../cli/folders.ts'
import { findTemporal } from '../../cli/temporal/find-temporal.ts'
import { ROOT } from '../docs/read-page.ts'
import { systemNode } from './system-node.ts'

const run = promisify(execFile)

/** The account `nobody`, without home, shell and permissions. */
export const NOBODY = 65_534
export const isRoot = process.getuid?.() === 0

/** The least comfortable place for an installation that must work. */
export interface Elsewhere {
  /** Command of the launcher: a read-only view of this checkout in a folder with a space, without git. */
  through: readonly [program: string, ...args: string[]]
  /** Empty folder of `nobody`, or of this account if it is not root. */
  home: string
  /** An empty cache, and a PATH with only Node 22 and Temporal. */
  env: Record<string, string>
  remove: () => Promise<void>
}

export async function elsewhere(): Promise<Elsewhere> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice elsewhere '))
  await chmod(folder, 0o755)
  const [home, cache] = [join(folder, 'a home'), join(folder, 'a cache')]
  for (const path of [home, cache]) {
    await mkdir(path)
    if (isRoot) await chown(path, NOBODY, NOBODY)
  }
  const PATH = await programs(folder)
  return {
    through: await launcherIn(folder),
    home,
    env: { PATH, HOME: home, SLUICE_CACHE: cache },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

async function launcherIn(folder: string): Promise<Elsewhere['through']> {
  const checkout = join(folder, 'a checkout')
  await mkdir(checkout)
  const mount = 'mount --bind "$1" "$2" && mount -o remount,bind,ro "$2" && cd "$2" && shift 2 && exec "$@"'
  const own = isRoot ? ['--mount'] : ['--user', '--map-current-user', '--mount', '--keep-caps']
  const as = isRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--'] : []
  const launch = [join(folder, 'bin', 'node'), 'cli/launch.mjs']
  return ['unshare', ...own, '--', 'sh', '-c', mount, 'sh', ROOT, checkout, ...as, ...launch]
}

async function programs(folder: string): Promise<string> {
  const bin = join(folder, 'bin')
  await mkdir(bin)
  const temporal = await findTemporal({ env: process.env, cacheFolder: cacheFolder(), log: console.log })
  if (!('program' in temporal)) throw new Error('TEMPORAL_ADDRESS is set: unset it for this test')
  await copyFile(await systemNode(22), join(bin, 'node'))
  await copyFile(temporal.program, join(bin, 'temporal'))
  // Only for the read-only view; the launcher itself needs none of them.
  for (const tool of ['unshare', 'sh', 'mount', 'setpriv'])
    await symlink((await run('sh', ['-c', `command -v ${tool}`])).stdout.trim(), join(bin, tool))
  return bin
}
