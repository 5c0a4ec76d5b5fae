import { execFile } from 'node:child_process'
import { chmod, glob, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { firstOf, programOnPath, workingProgram } from '../find-program.ts'
import { unpackDebian } from '../unpack-debian.ts'

const run = promisify(execFile)
/** The first version that supports named statements with transaction pooling. */
const OLDEST = [1, 21] as const
const TIMEOUT_MS = 20_000
const RELEASE = 'trixie'
/** PgBouncer with the libraries that it is linked to, so that it also runs on older systems. */
const PACKAGES = [
  'pgbouncer',
  'libc6',
  'libcares2',
  'libevent-2.1-7t64',
  'libpam0g',
  'libaudit1',
  'libcap-ng0',
  'libssl3t64',
  'zlib1g',
  'libzstd1',
  'libsystemd0',
  'libcap2',
]

interface FindOptions {
  env: NodeJS.ProcessEnv
  cacheFolder: string
}

/**
 * Finds PgBouncer 1.21 or newer: on PATH, else in the cache, else in Debian's packages. If all fail, the
 * error gives the reason of each.
 */
export async function findPgBouncer({ env, cacheFolder }: FindOptions): Promise<string> {
  const target = join(cacheFolder, `pgbouncer-${RELEASE}`, 'pgbouncer')
  const found = await firstOf([
    { origin: 'PATH', find: () => onPath(env.PATH ?? '') },
    { origin: 'cache', find: () => newEnough(target) },
    { origin: `Debian ${RELEASE}`, find: () => fromDebian(target).then(() => newEnough(target)) },
  ])
  if ('program' in found) return found.program
  throw new Error(
    `PgBouncer ${OLDEST.join('.')} or newer was not found. Tried:\n` +
      found.failures.map((line) => `  - ${line}`).join('\n'),
  )
}

async function onPath(path: string): Promise<string> {
  const program = await programOnPath(path, ['pgbouncer'])
  if (program === null) throw new Error('found no program "pgbouncer"')
  return newEnough(program)
}

async function newEnough(program: string): Promise<string> {
  await workingProgram(program, TIMEOUT_MS)
  const { stdout } = await run(program, ['--version'], { timeout: TIMEOUT_MS })
  const [, major, minor] = /(\d+)\.(\d+)/.exec(stdout)?.map(Number) ?? []
  if (major === undefined || minor === undefined) throw new Error(`${program} prints no version`)
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]))
    throw new Error(`${program} is too old: ${major}.${minor}`)
  return program
}

/** The program comes with its own C library, so it must be started through the loader of that library. */
async function fromDebian(target: string): Promise<void> {
  const folder = dirname(target)
  await unpackDebian({ packages: PACKAGES, folder, release: RELEASE })
  for await (const loader of glob(join(folder, 'usr/lib/*-linux-gnu/ld-linux-*'))) {
    const libraries = relative(folder, dirname(loader))
    const line = `exec "$here/${relative(folder, loader)}" --library-path "$here/${libraries}" "$here/usr/sbin/pgbouncer" "$@"`
    await writeFile(target, `#!/bin/sh\nhere=$(dirname "$0")\n${line}\n`)
    await chmod(target, 0o755)
    return
  }
  throw new Error('its packages contain no loader')
}
