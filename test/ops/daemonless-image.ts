import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, vi } from 'vitest'
import { cacheFolder } from '../../cli/folders.ts'
import { goInstall } from '../../cli/go-install.ts'
import { freePort } from '../../cli/supervisor/free-port.ts'
import { unpackDebian } from '../../cli/unpack-debian.ts'

const run = promisify(execFile)
const VERSION = '0.22.1'
/** What Node needs of the Debian release that the Dockerfile names. */
const LIBRARIES = { packages: ['libc6', 'libgcc-s1', 'libstdc++6'], release: 'bookworm' }

interface Configuration {
  env: Record<string, string>
  /** UID:GID */
  user: string
  cmd: readonly string[]
}

export interface DaemonlessImage {
  /** What the registry says of the image. */
  config: { User: string; Env: string[]; Cmd: string[]; WorkingDir: string }
  /** Folder of its unpacked file system. */
  root: string
}

/**
 * Builds an image with crane, which needs no daemon and no privileges, pushes it to a registry of its own, and
 * unpacks what the registry serves. Layers: libraries of Debian with Node, and `app`, the files of the Dockerfile.
 */
export async function daemonlessImage(app: string, wanted: Configuration): Promise<DaemonlessImage> {
  const crane = await findCrane()
  const folder = await mkdtemp(join(tmpdir(), 'sluice-daemonless-'))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  const [base, root, disk] = ['base', 'root', 'registry'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  for (const made of [root, disk]) await mkdir(made)
  await unpackDebian({ ...LIBRARIES, folder: base })
  for (const name of ['tmp', 'proc', 'dev', 'usr/local/bin'])
    await mkdir(join(base, name), { recursive: true })
  await cp(process.execPath, join(base, 'usr/local/bin/node'))
  const layers = [join(folder, 'base.tar'), join(folder, 'app.tar')] as const
  const owned = ['--owner=0', '--group=0', '--numeric-owner', '--sort=name', '--mtime=@0']
  await run('tar', [...owned, '-cf', layers[0], '-C', base, '.'])
  await run('tar', [...owned, '--transform=s,^\\.,./app,', '-cf', layers[1], '-C', app, '.'])
  const address = `127.0.0.1:${await freePort()}`
  const registry = spawn(crane, ['registry', 'serve', '--address', address, '--disk', disk], {
    stdio: 'ignore',
  })
  try {
    await vi.waitFor(() => fetch(`http://${address}/v2/`), { timeout: 60_000 })
    const image = `${address}/sluice:test`
    const ask = async (...args: string[]) => (await run(crane, ['--insecure', ...args])).stdout
    await ask('append', '-f', layers.join(','), '-t', image)
    const settings = Object.entries(wanted.env).flatMap(([name, value]) => ['--env', `${name}=${value}`])
    const own = ['--user', wanted.user, '--workdir', '/app', '--cmd', wanted.cmd.join(','), ...settings]
    await ask('mutate', image, ...own, '--set-platform', 'linux/amd64', '-t', image)
    await ask('validate', '--remote', image)
    const { config } = JSON.parse(await ask('config', image)) as { config: DaemonlessImage['config'] }
    const archive = join(folder, 'root.tar')
    await ask('export', image, archive)
    await run('tar', ['-xf', archive, '-C', root])
    return { config, root }
  } finally {
    registry.kill()
  }
}

/** The program in the cache, built with Go on first use. */
async function findCrane(): Promise<string> {
  const target = join(cacheFolder(), `crane-${VERSION}`, 'crane')
  const program = 'github.com/google/go-containerregistry/cmd/crane'
  const built = { name: 'crane', program, version: VERSION, target, env: process.env, log: console.log }
  if (!existsSync(target)) await goInstall(built)
  return target
}

/**
 * The command that runs a program of the image as a container would: its file system is read-only but for /tmp,
 * and the account is that of the image. Needs root.
 */
export function inImage({ root, config }: DaemonlessImage, args: readonly string[]): [string, string[]] {
  const script = `mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && mount -t tmpfs tmpfs "$1/tmp" &&
    mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" &&
    exec chroot --userspec="$2" "$1" /usr/local/bin/node "\${@:3}"`
  return ['unshare', ['--mount', '--', 'bash', '-c', script, 'bash', root, config.User, ...args]]
}
