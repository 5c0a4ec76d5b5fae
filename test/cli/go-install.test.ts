import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildProgress, goProgram } from '../../cli/go-install.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-go-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A fake Go that records its environment and arguments and builds a program. */
function fakeGo(): void {
  const file = join(folder, 'bin', 'go')
  mkdirSync(join(folder, 'bin'))
  const build = `/bin/mkdir -p "$GOBIN"; printf '#!/bin/sh\\n' > "$GOBIN/tool"; /bin/chmod 755 "$GOBIN/tool"; echo example.org/tool >&2`
  writeFileSync(file, `#!/bin/sh\necho "$GOGC $GOMEMLIMIT $@" >> ${folder}/asked\n/bin/sleep 0.2\n${build}\n`)
  chmodSync(file, 0o755)
}

const build = () =>
  goProgram({
    name: 'Tool',
    program: 'example.org/tool',
    version: '1.0.0',
    target: join(folder, 'cache', 'tool'),
    env: { PATH: join(folder, 'bin') },
    log: () => {},
  })

test('two callers at once build a program once, with a memory limit for the compilers', async () => {
  fakeGo()
  const target = join(folder, 'cache', 'tool')
  expect(await Promise.all([build(), build()])).toEqual([target, target])
  expect(readFileSync(join(folder, 'asked'), 'utf8')).toMatch(
    /^off [1-9]\d+MiB install -C \S+ -v -ldflags=-s -w example\.org\/tool@v1\.0\.0\n$/,
  )
})

test('a build shows its progress, and the remaining time once it can be estimated', () => {
  const after = (seconds: number, compiled: number, packages?: number) =>
    buildProgress({ compiled, packages, ms: seconds * 1000, ofCompilingMs: (seconds - 40) * 1000 })
  expect(after(30, 0, 1300)).toBe('downloading its modules (30 s)')
  expect(after(55, 100, 1300)).toBe('100 of 1300 packages compiled after 55 s')
  expect(after(100, 325, 1300)).toBe('325 of 1300 packages compiled after 100 s, about 3 minutes left')
  expect(after(200, 1100, 1300)).toBe('1100 of 1300 packages compiled after 200 s, about a minute left')
  expect(after(220, 1300, 1300)).toBe('1300 of 1300 packages compiled after 220 s')
  expect(after(55, 100)).toBe('100 packages compiled after 55 s')
})
