import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
// @ts-expect-error: runs before the packages are there, so it is no TypeScript
import { install, isInstalled, stampOf } from '../../cli/launch.mjs'

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

test('a fresh clone is not installed; after npm ci it is, until the lock file changes', async () => {
  expect(isInstalled(root)).toBe(false)
  expect(await install(root, fakeNpm(0))).toBe(0)
  expect(readFileSync(join(root, 'npm-args'), 'utf8')).toMatch(/^ci /)
  expect(isInstalled(root)).toBe(true)
  writeLock({ 'node_modules/a': { version: '1.0.1', integrity: 'sha512-b' } })
  expect(isInstalled(root)).toBe(false)
})

test('an npm ci that failed leaves no stamp', async () => {
  expect(await install(root, fakeNpm(7))).toBe(7)
  expect(isInstalled(root)).toBe(false)
})

test('a stamp without the pinned Node counts for nothing', () => {
  mkdirSync(join(root, 'node_modules'))
  writeFileSync(join(root, 'node_modules/.sluice-stamp'), stampOf(root))
  expect(isInstalled(root)).toBe(false)
})

test('packages that somebody installed with npm are accepted when they are those of the lock file', () => {
  placeNode()
  const record = (packages: object) =>
    writeFileSync(join(root, 'node_modules/.package-lock.json'), JSON.stringify({ packages }))
  const a = { version: '1.0.0', integrity: 'sha512-a' }
  writeLock({ 'node_modules/a': a, 'node_modules/b-darwin': { version: '1.0.0', optional: true } })
  record({ 'node_modules/a': a })
  expect(isInstalled(root)).toBe(true)
  record({ 'node_modules/a': { ...a, version: '0.9.0' } })
  expect(isInstalled(root)).toBe(false)
  record({})
  expect(isInstalled(root)).toBe(false)
})

test('an unknown command ends with code 2 and the list of commands', () => {
  const launcher = join(import.meta.dirname, '../../cli/launch.mjs')
  const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, 'nonsense'], { encoding: 'utf8' })
  expect(stderr).toContain('there is no command "nonsense"')
  expect(stdout).toContain('sluice start')
  expect(status).toBe(2)
})
