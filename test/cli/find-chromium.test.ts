import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findChromium } from '../../cli/find-chromium.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-chromium-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function place(name: string, code = 0): string {
  const file = join(folder, name)
  writeFileSync(file, `#!/bin/sh\nexit ${code}\n`)
  chmodSync(file, 0o755)
  return file
}

const find = (env: NodeJS.ProcessEnv, install = () => Promise.reject<void>(new Error('needs root'))) =>
  findChromium({ env, log: () => {}, install })

test('uses CHROMIUM_PATH, else a program on PATH, and installs nothing', async () => {
  const [chromium, chrome] = [place('chromium'), place('google-chrome')]
  expect(await find({ CHROMIUM_PATH: chrome, PATH: folder })).toBe(chrome)
  expect(await find({ PATH: `/nowhere:${folder}` })).toBe(chromium)
})

test('installs a missing browser and finds it on PATH', async () => {
  const install = async () => void place('chromium')
  expect(await find({ PATH: folder }, install)).toBe(join(folder, 'chromium'))
})

test('the error gives the reason of each try', async () => {
  const broken = place('broken', 1)
  const error = await find({ CHROMIUM_PATH: broken, PATH: folder }).catch((failure: Error) => failure.message)
  expect(error).toMatch(/CHROMIUM_PATH: .*broken does not run/)
  expect(error).toContain(
    'PATH: found none of chromium, chromium-browser, google-chrome, google-chrome-stable',
  )
  expect(error).toContain('apt-get install chromium: needs root')
})
