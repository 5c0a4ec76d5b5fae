import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findRuby } from './find-ruby.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-ruby-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function place(code: number): string {
  const file = join(folder, 'ruby')
  writeFileSync(file, `#!/bin/sh\nexit ${code}\n`)
  chmodSync(file, 0o755)
  return file
}

const find = (install: () => Promise<void>) => findRuby({ env: { PATH: folder }, log: () => {}, install })

test('installs Ruby only where PATH has none', async () => {
  let installed = 0
  const install = async () => {
    installed++
    place(0)
  }
  const program = await find(install)
  expect([program, await find(install), installed]).toEqual([join(folder, 'ruby'), program, 1])
})

test('the error gives the reason of each try', async () => {
  place(1)
  const error = await find(() => Promise.reject(new Error('needs root'))).catch(
    (failure: Error) => failure.message,
  )
  expect(error).toMatch(/PATH: .*ruby does not run/)
  expect(error).toContain('apt-get install ruby: needs root')
})
