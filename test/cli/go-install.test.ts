import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { goProgram } from '../../cli/go-install.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-go-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A Go that writes down its environment and arguments, and builds a program. */
function fakeGo(): void {
  const file = join(folder, 'bin', 'go')
  mkdirSync(join(folder, 'bin'))
  const build = `printf '#!/bin/sh\\n' > "$GOBIN/tool"; /bin/chmod 755 "$GOBIN/tool"; echo example.org/tool >&2`
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

test('two that want a program at once have it built once, with a bound on what compilers take', async () => {
  fakeGo()
  const target = join(folder, 'cache', 'tool')
  expect(await Promise.all([build(), build()])).toEqual([target, target])
  expect(readFileSync(join(folder, 'asked'), 'utf8')).toMatch(
    /^off [1-9]\d+MiB install -v -ldflags=-s -w example\.org\/tool@v1\.0\.0\n$/,
  )
})
