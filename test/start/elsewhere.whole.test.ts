import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  chown,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
} from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { cacheFolder } from '../../cli/folders.ts'
import { ownerUrl } from '../../cli/postgres/postgres-service.ts'
import { readSecrets } from '../../cli/secrets.ts'
import { readRun } from '../../cli/supervisor/run-file.ts'
import { findTemporal } from '../../cli/temporal/find-temporal.ts'
import { ROOT } from '../docs/read-page.ts'
import { query } from '../setup/query.ts'
import { LAUNCHER, startSluice } from './running.ts'
import { systemNode } from './system-node.ts'

const run = promisify(execFile)

test.each([20, 22, 24] as const)('the launcher works with Node %i of the system', async (major) => {
  const node = await systemNode(major)
  expect((await run(node, ['--version'])).stdout).toMatch(new RegExp(`^v${major}\\.`))
  const { stdout } = await run(node, [LAUNCHER, 'help'], { env: { PATH: '/usr/bin:/bin', HOME: tmpdir() } })
  expect(stdout).toContain('set everything up and run it')
})

/** The account `nobody`, without home, shell and permissions. */
const ACCOUNT = 65_534
const folder = await mkdtemp(join(tmpdir(), 'sluice elsewhere '))
await chmod(folder, 0o755)
afterAll(() => rm(folder, { recursive: true, force: true }))

/**
 * Returns a command that runs with a read-only view of this checkout in a folder with a space in its name.
 */
async function startedElsewhere(): Promise<readonly [program: string, ...args: string[]]> {
  const checkout = join(folder, 'a checkout')
  await mkdir(checkout)
  const mount = 'mount --bind "$1" "$2" && mount -o remount,bind,ro "$2" && cd "$2" && shift 2 && exec "$@"'
  const isRoot = process.getuid?.() === 0
  const own = isRoot ? ['--mount'] : ['--user', '--map-current-user', '--mount', '--keep-caps']
  const as = isRoot ? ['setpriv', `--reuid=${ACCOUNT}`, `--regid=${ACCOUNT}`, '--clear-groups', '--'] : []
  const launch = [join(folder, 'bin', 'node'), 'cli/launch.mjs']
  return ['unshare', ...own, '--', 'sh', '-c', mount, 'sh', ROOT, checkout, ...as, ...launch]
}

/** Creates a folder for PATH with only Node 22 and Temporal. */
async function programs(): Promise<string> {
  const bin = join(folder, 'bin')
  await mkdir(bin)
  const temporal = await findTemporal({ env: process.env, cacheFolder: cacheFolder(), log: console.log })
  if (!('program' in temporal)) throw new Error('TEMPORAL_ADDRESS is set: unset it for this test')
  await copyFile(await systemNode(22), join(bin, 'node'))
  await copyFile(temporal.program, join(bin, 'temporal'))
  return bin
}

test('npm start as another user, read-only, in a folder with a space, without git; then a newer release', async () => {
  const home = join(folder, 'a home')
  await mkdir(home)
  if (process.getuid?.() === 0) await chown(home, ACCOUNT, ACCOUNT)
  const PATH = await programs()
  // Only for the read-only view; the launcher itself needs none of them.
  for (const tool of ['unshare', 'sh', 'mount', 'setpriv'])
    await symlink((await run('sh', ['-c', `command -v ${tool}`])).stdout.trim(), join(PATH, tool))
  const env = { PATH, HOME: home, SLUICE_CACHE: join(home, 'cache'), SANDBOX_SCALE: '0.05' }
  const through = await startedElsewhere()
  const sluice = await startSluice({ through, home, env })
  try {
    const headers = { 'x-api-key': sluice.key }
    const status = async () => (await fetch(`${sluice.url}/coins?limit=1`, { headers })).status
    await expect.poll(status).toBe(200)
    if (process.getuid?.() === 0) {
      const { uid } = await stat(join(home, 'postgres'))
      expect(uid).toBe(ACCOUNT)
    }
    const server = {
      port: readRun(home)!.ports.postgres!,
      ownerPassword: readSecrets(home)!.owner,
      database: 'sluice',
    }
    await query(ownerUrl(server), `insert into kysely_migration values ('99990101-0000-newer', '2099-01-01')`)
    await sluice.end()

    const before = await contents(home)
    const again = spawn(through[0], [...through.slice(1), 'start'], {
      env: { ...env, SLUICE_HOME: home, TEMPORAL_ADDRESS: '' },
    })
    let said = ''
    again.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
    const [code] = (await once(again, 'close')) as [number]
    expect([code, said]).toEqual([1, expect.stringContaining('has migration 99990101-0000-newer')])
    expect(await contents(home)).toEqual(before)
  } finally {
    await sluice.stop()
  }
}, 600_000)

/**
 * Returns digests of the files of an installation, without its database, whose files change whenever it runs.
 */
async function contents(home: string): Promise<Record<string, string>> {
  const files = [
    'secrets.json',
    'temporal.sqlite',
    ...(await readdir(join(home, 'chains'))).map((name) => `chains/${name}`),
  ]
  const digest = async (file: string) =>
    createHash('sha256')
      .update(await readFile(join(home, file)))
      .digest('hex')
  return Object.fromEntries(await Promise.all(files.map(async (file) => [file, await digest(file)])))
}
