import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { installWheel } from '../../cli/temporal/install-wheel.ts'
import release from '../../cli/temporal/release.json' with { type: 'json' }

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-wheel-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('pip installs the pinned Temporal release', async () => {
  const { version } = release
  const target = join(folder, 'temporal')
  await installWheel({ version, target, env: process.env, log: () => {} })
  expect(spawnSync(target, ['--version'], { encoding: 'utf8' }).stdout).toContain(version)
})
