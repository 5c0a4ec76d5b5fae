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

test('a home is made with the folders above it, and keeps nothing of the trial', async () => {
  const home = join(folder, 'a', 'b')
  await prepareHome(home)
  await prepareHome(home)
  expect(readdirSync(home)).toEqual([])
})

test.each(['file', 'file/below', '/proc/none'])('a home that is %s is refused', async (where) => {
  writeFileSync(join(folder, 'file'), '')
  const home = where.startsWith('/') ? where : join(folder, where)
  await expect(prepareHome(home)).rejects.toThrow(
    /^the home of the installation cannot be used: .*: name .*\nSLUICE_HOME names it; it is /,
  )
})

test.runIf(process.getuid?.() === 0).each([
  ['that nobody else may write', 0o755],
  ['of another user that all may write', 0o777],
])('a home %s is refused', (_, mode) => {
  const home = mkdtempSync(join(folder, 'other-'))
  chmodSync(home, mode)
  // The checkout may be for root alone: it is read before the rights are given up.
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
    /cannot be used: it belongs to another user \(0\): start it as that one, or name another/,
  )
})

test('a full disk and a read-only one are named with what to do', () => {
  const error = (code: string) => Object.assign(new Error(code), { code, path: '/data/x' })
  expect(explainError(error('ENOSPC'))).toBe(
    'the disk of /data/x is full: free some of it, then run the same command again',
  )
  expect(explainError(error('EROFS'))).toContain('/data/x is on a disk that is read-only')
})
