import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keepOrigin } from '../../cli/supervisor/keep-origin.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'sluice-origin-'))
})
afterEach(() => rmSync(home, { recursive: true }))

test('a home keeps the sources of its first start', () => {
  keepOrigin(home, 'live')
  keepOrigin(home, 'live')
  expect(() => keepOrigin(home, 'sandbox')).toThrow(/was started with SOURCES=live.*SLUICE_HOME/)
  keepOrigin(home, 'live')
})

test('a home of an older version is a sandbox if it has chains', () => {
  writeFileSync(join(home, 'secrets.json'), '{}')
  expect(() => keepOrigin(home, 'sandbox')).toThrow('SOURCES=live')
  mkdirSync(join(home, 'chains'))
  expect(() => keepOrigin(home, 'live')).toThrow('SOURCES=sandbox')
  keepOrigin(home, 'sandbox')
})
