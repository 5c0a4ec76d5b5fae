import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findPgBouncer } from '../../cli/pgbouncer/find-pgbouncer.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-pgbouncer-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function place(file: string, version: string): string {
  const program = join(folder, file)
  mkdirSync(dirname(program), { recursive: true })
  writeFileSync(program, `#!/bin/sh\necho PgBouncer ${version}\n`)
  chmodSync(program, 0o755)
  return program
}
const find = () => findPgBouncer({ env: { PATH: join(folder, 'bin') }, cacheFolder: join(folder, 'cache') })

test('uses a program on PATH that supports named statements', async () => {
  const program = place('bin/pgbouncer', '1.21.0')
  place('cache/pgbouncer-trixie/pgbouncer', '1.24.1')
  expect(await find()).toBe(program)
})

test('skips an older program', async () => {
  place('bin/pgbouncer', '1.18.0')
  const cached = place('cache/pgbouncer-trixie/pgbouncer', '1.24.1')
  expect(await find()).toBe(cached)
})
