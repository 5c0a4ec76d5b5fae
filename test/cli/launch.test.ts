import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
// @ts-expect-error: runs before the packages are installed, so it is plain JavaScript
import { DEVELOPING, install, isInstalled, stampOf } from '../../cli/launch.mjs'
import { COMMANDS } from '../../cli/commands.ts'

const all = { dev: true }
const running = { dev: false }
let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sluice-launch-'))
  writeLock({ 'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' } })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function writeLock(packages: object): void {
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...packages } }))
}

function placeNode(): void {
  mkdirSync(join(root, 'node_modules/node/bin'), { recursive: true })
  writeFileSync(join(root, 'node_modules/node/bin/node'), '')
}

/** A stand-in for npm that leaves a package folder, or fails. */
function fakeNpm(code: number) {
  const file = join(root, 'npm.sh')
  writeFileSync(
    file,
    `#!/bin/sh\necho "$@" > npm-args\nmkdir -p node_modules/node/bin\n: > node_modules/node/bin/node\nexit ${code}\n`,
  )
  chmodSync(file, 0o755)
  return { command: file, args: [] }
}

test('a fresh clone counts as installed after npm ci, until the lock file changes', async () => {
  expect(isInstalled(root, all)).toBe(false)
  expect(await install(root, { ...all, npm: fakeNpm(0) })).toBe(0)
  expect(readFileSync(join(root, 'npm-args'), 'utf8')).toMatch(/^ci --include=dev /)
  expect(isInstalled(root, all)).toBe(true)
  writeLock({ 'node_modules/a': { version: '1.0.1', integrity: 'sha512-b' } })
  expect(isInstalled(root, all)).toBe(false)
})

test('development packages are installed only for the commands that need them', async () => {
  expect(await install(root, { ...running, npm: fakeNpm(0) })).toBe(0)
  expect(readFileSync(join(root, 'npm-args'), 'utf8')).toMatch(/^ci --omit=dev /)
  expect(isInstalled(root, running)).toBe(true)
  expect(isInstalled(root, all)).toBe(false)
  expect(await install(root, { ...all, npm: fakeNpm(0) })).toBe(0)
  expect([isInstalled(root, running), isInstalled(root, all)]).toEqual([true, true])
})

test('exactly the commands of developers need the development packages', () => {
  const developing = COMMANDS.filter(({ name }) => DEVELOPING.test(name)).map(({ name }) => name)
  const ofGroup = COMMANDS.filter(({ spec }) => !spec || spec.group === 'develop').map(({ name }) => name)
  expect(developing).toEqual(ofGroup)
})

test('a failed npm ci leaves no stamp', async () => {
  expect(await install(root, { ...all, npm: fakeNpm(7) })).toBe(7)
  expect(isInstalled(root, running)).toBe(false)
})

test('a stamp without the pinned Node does not count', () => {
  mkdirSync(join(root, 'node_modules'))
  writeFileSync(join(root, 'node_modules/.sluice-stamp'), stampOf(root, all))
  expect(isInstalled(root, running)).toBe(false)
})

test('packages that a user installed with npm count if they match the lock file', () => {
  placeNode()
  const record = (packages: object) =>
    writeFileSync(join(root, 'node_modules/.package-lock.json'), JSON.stringify({ packages }))
  const a = { version: '1.0.0', integrity: 'sha512-a' }
  const darwin = { version: '1.0.0', optional: true }
  const tool = { version: '1.0.0', integrity: 'sha512-t', dev: true }
  writeLock({ 'node_modules/a': a, 'node_modules/b-darwin': darwin, 'node_modules/tool': tool })
  record({ 'node_modules/a': a })
  expect([isInstalled(root, running), isInstalled(root, all)]).toEqual([true, false])
  record({ 'node_modules/a': a, 'node_modules/tool': tool })
  expect([isInstalled(root, running), isInstalled(root, all)]).toEqual([true, true])
  record({ 'node_modules/a': { ...a, version: '0.9.0' }, 'node_modules/tool': tool })
  expect(isInstalled(root, running)).toBe(false)
  record({})
  expect(isInstalled(root, running)).toBe(false)
})

test('an unknown command exits with code 2 and says how to list the commands', () => {
  const launcher = join(import.meta.dirname, '../../cli/launch.mjs')
  const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, 'nonsense'], { encoding: 'utf8' })
  expect(stderr).toContain('there is no command "nonsense"')
  expect(stderr).toContain('"sluice help" lists them all')
  expect(stdout).toBe('')
  expect(status).toBe(2)
})
