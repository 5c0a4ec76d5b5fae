import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { cacheFolder } from '../../cli/folders.ts'
import { freePort } from '../../cli/supervisor/free-port.ts'
import { isRunning } from '../../cli/supervisor/process-mark.ts'
import { readRun } from '../../cli/supervisor/run-file.ts'
import { ROOT } from '../docs/read-page.ts'
import { systemNode } from '../start/system-node.ts'

// Somebody installs the package, without a clone, on a machine that has Node 20. The tests build on each other.

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

let place: string
let env: Record<string, string>
const app = () => join(place, 'app')
const home = () => join(place, '.sluice')

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'sluice-packed-'))
  // The account of Postgres must enter it.
  await chmod(place, 0o755)
  for (const name of ['app', 'bin']) await mkdir(join(place, name))
  await symlink(await systemNode(20), join(place, 'bin', 'node'))
  for (const tool of ['npm', 'npx'])
    await symlink(
      realpathSync((await run(['sh', '-c', `command -v ${tool}`], ROOT)).trim()),
      join(place, 'bin', tool),
    )
  const cache = (await run(['npm', 'config', 'get', 'cache'], ROOT)).trim()
  const settings = Object.entries(process.env).filter(([name]) => /^npm_config_/i.test(name)) as [
    string,
    string,
  ][]
  env = {
    ...Object.fromEntries(settings),
    npm_config_cache: cache,
    npm_config_userconfig: (await run(['npm', 'config', 'get', 'userconfig'], ROOT)).trim(),
    npm_config_prefer_offline: 'true',
    PATH: `${join(place, 'bin')}:/usr/bin:/bin`,
    HOME: place,
    SLUICE_CACHE: cacheFolder(),
    SANDBOX_SCALE: '0.05',
    API_PORT: String(await freePort()),
  }
})
afterAll(async () => {
  if (existsSync(join(app(), 'node_modules', 'sluice'))) await sluice('down')
  await rm(place, { recursive: true, force: true })
  await rm(join(ROOT, 'dist'), { recursive: true, force: true })
})

/** Runs a program and returns what it prints. Throws with its output unless it exits with `code`. */
async function run([program, ...args]: readonly string[], cwd = app(), code = 0): Promise<string> {
  const child = spawn(program!, args, { cwd, ...(env && { env }), stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  if ((await ended) !== code) throw new Error(`${program} ${args.join(' ')}: ${await ended}\n${out}\n${err}`)
  return out + err
}
const sluice = (...args: string[]) => run(['npx', 'sluice', ...args])

test('npm pack leaves nothing in the clone that npm would read, and the package installs what it names', async () => {
  await run(['npm', 'pack', '--silent', '--pack-destination', place], ROOT)
  expect(existsSync(join(ROOT, 'npm-shrinkwrap.json'))).toBe(false)
  const [tarball] = readdirSync(place).filter((name) => name.endsWith('.tgz'))
  await run(['npm', 'install', '--no-audit', '--no-fund', join(place, tarball!)])
  const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as any
  const locked = read(join(ROOT, 'package-lock.json')).packages as Record<string, any>
  const installed = read(join(app(), 'node_modules', '.package-lock.json')).packages as Record<string, any>
  const named = Object.keys(read(join(ROOT, 'package.json')).dependencies as object)
  const versionsOf = (packages: Record<string, any>) =>
    named.map((name) => `${name}@${packages[`node_modules/${name}`]?.version}`)
  expect(versionsOf(installed)).toEqual(versionsOf(locked))
  for (const name of ['typescript', 'vitest', 'oxlint'])
    expect(installed).not.toHaveProperty(`node_modules/${name}`)
  const bill = read(join(app(), 'node_modules', 'sluice', 'dist', 'sbom.cdx.json'))
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'sluice' } } })
  const billed = bill.components.map(({ name, version }: any) => `${name}@${version}`)
  expect(billed).toEqual(expect.arrayContaining(versionsOf(locked)))
})

test('npx sluice up starts everything from it, with its data in the home of the user', async () => {
  const before = readdirSync(join(app(), 'node_modules', 'sluice'), { recursive: true })
  const printed = await sluice('up')
  expect(printed).toContain('*** SANDBOX')
  expect(printed).toContain('It runs in the background.')
  const [, key] = /^API key +(\S+)/m.exec(printed)!
  const answer = await fetch(`http://127.0.0.1:${env['API_PORT']}/v1/coins?limit=3`, {
    headers: { 'x-api-key': key! },
  })
  expect(answer.status).toBe(200)
  const docs = await fetch(`http://127.0.0.1:${env['API_PORT']}/v1/docs/changelog`)
  expect(docs.status).toBe(200)
  expect(existsSync(join(home(), 'secrets.json'))).toBe(true)
  expect(readdirSync(join(app(), 'node_modules', 'sluice'), { recursive: true })).toEqual(before)
  await expect(sluice('up')).rejects.toThrow('it runs already')
})

test('it exports', async () => {
  expect(await sluice('export')).toContain(join(home(), 'export'))
  expect(existsSync(join(home(), 'export', 'catalog.duckdb'))).toBe(true)
})

test('npx sluice down ends all of its processes', async () => {
  const { supervisor, children } = readRun(home())!
  expect(await sluice('down')).toContain('everything is stopped')
  expect([supervisor, ...Object.values(children)].filter(isRunning)).toEqual([])
  expect(await sluice('stop')).toContain('nothing runs')
})

test('npx sluice start runs it again in a terminal, until sluice stop', async () => {
  const started = run(['npx', 'sluice', 'start'])
  await expect.poll(() => readRun(home())?.children['worker'], { timeout: 200_000 }).toBeDefined()
  await sluice('stop')
  expect(await started).toContain('everything is stopped')
})

test('npx sluice uninstall asks, removes what it wrote and keeps exports and backups', async () => {
  await mkdir(join(home(), 'backup'))
  const asked = await run(['npx', 'sluice', 'uninstall'], app(), 1)
  expect(asked).toContain(join(home(), 'postgres'))
  expect(asked).toContain('nothing was removed')
  expect(existsSync(join(home(), 'postgres'))).toBe(true)
  expect(await sluice('uninstall', '--yes')).toContain('npm uninstall sluice')
  expect(readdirSync(home()).sort()).toEqual(['backup', 'export'])
  expect(await sluice('uninstall', '--yes')).toContain('nothing to remove')
})
