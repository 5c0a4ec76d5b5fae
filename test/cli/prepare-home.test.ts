import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { explainError } from '../../cli/explain-error.ts'
import { prepareHome } from '../../cli/prepare-home.ts'

const MODULE = join(import.meta.dirname, '../../cli/prepare-home.ts')
const folder = mkdtempSync(join(tmpdir(), 'sluice-home-'))
const NOBODY = 65_534

beforeAll(() => chmodSync(folder, 0o755))
afterAll(() => rmSync(folder, { recursive: true }))

test('creates a home with its parent folders and removes the probe file', async () => {
  const home = join(folder, 'a', 'b')
  await prepareHome(home)
  await prepareHome(home)
  expect(readdirSync(home)).toEqual([])
})

test.each(['file', 'file/below', '/proc/none'])('rejects the home %s', async (where) => {
  writeFileSync(join(folder, 'file'), '')
  const home = where.startsWith('/') ? where : join(folder, where)
  await expect(prepareHome(home)).rejects.toThrow(
    /^the home of the installation cannot be used: .*: name .*\nSet SLUICE_HOME to another folder; it is /,
  )
})

test.runIf(process.getuid?.() === 0).each([
  ['of another user', 0o755],
  ['of another user that everybody may write', 0o777],
])('rejects a home %s', (_, mode) => {
  const home = mkdtempSync(join(folder, 'other-'))
  chmodSync(home, mode)
  // Imports first and drops the privileges then, because the checkout may be readable for root only.
  const script = `const { prepareHome } = await import(process.argv[1])
    process.setgroups([])
    process.setgid(${NOBODY})
    process.setuid(${NOBODY})
    await prepareHome(process.argv[2]).catch((error) => console.log(error.message))`
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', script, MODULE, home],
    { encoding: 'utf8', env: {} },
  )
  expect(stderr).toBe('')
  expect(stdout).toMatch(
    /cannot be used: it belongs to another user \(0\): start as that user, or name another/,
  )
})

test('explains a full disk and a read-only disk with what to do', () => {
  const error = (code: string) => Object.assign(new Error(code), { code, path: '/data/x' })
  expect(explainError(error('ENOSPC'))).toBe(
    'the disk of /data/x is full: free some space, then run the same command again',
  )
  expect(explainError(error('EROFS'))).toContain('/data/x is on a disk that is read-only')
})
