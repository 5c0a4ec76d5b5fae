import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { operatorEnvironment } from '../../cli/operator-environment.ts'
import { changeSettings, loadSettings, readSettingsFile, settingsFile } from '../../cli/settings-file.ts'
import { markOf } from '../../cli/supervisor/process-mark.ts'
import { claimRun } from '../../cli/supervisor/run-file.ts'
import { sluiceHere } from './sluice-here.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'sluice-settings-'))
  vi.stubEnv('SLUICE_HOME', home)
})
afterEach(() => {
  vi.unstubAllEnvs()
  for (const name of Object.keys(process.env)) if (name.startsWith('TOLD_')) delete process.env[name]
  rmSync(home, { recursive: true })
})

const text = () => readFileSync(settingsFile(home), 'utf8')

test('a setting is added, replaced and removed, and every other line stays', () => {
  writeFileSync(settingsFile(home), '# of the trial\nexport TOLD_A=old\nTOLD_B = kept # why\n', {
    mode: 0o644,
  })
  changeSettings(home, { TOLD_A: 'new', TOLD_C: 'https://node.example/v2/key?a=1' })
  expect(text()).toBe(
    '# of the trial\nTOLD_A=new\nTOLD_B = kept # why\nTOLD_C=https://node.example/v2/key?a=1\n',
  )
  changeSettings(home, { TOLD_A: null, TOLD_Z: null })
  expect(readSettingsFile(home)).toEqual({ TOLD_B: 'kept', TOLD_C: 'https://node.example/v2/key?a=1' })
  expect(statSync(settingsFile(home)).mode & 0o777).toBe(0o600)
})

test('what is written is read back, whatever its characters', () => {
  const awkward = { TOLD_A: 'a#b', TOLD_B: ' a b ', TOLD_C: '"$x"`\\n', TOLD_D: 'a=b', TOLD_E: '' }
  changeSettings(home, awkward)
  expect(readSettingsFile(home)).toEqual(awkward)
  const before = text()
  expect(() => changeSettings(home, { TOLD_A: `a'#` })).toThrow(/edit the file by hand/)
  expect(text()).toBe(before)
})

test('a write that fails leaves the old file', () => {
  changeSettings(home, { TOLD_A: 'old' })
  // A folder in place of the draft makes the write fail, as a full disk does.
  mkdirSync(`${settingsFile(home)}.${process.pid}`)
  expect(() => changeSettings(home, { TOLD_A: 'new' })).toThrow()
  expect(readSettingsFile(home)).toEqual({ TOLD_A: 'old' })
})

test('a variable of the environment wins over the file, even an empty one', () => {
  changeSettings(home, { TOLD_A: 'file', TOLD_B: 'file', TOLD_C: 'file' })
  vi.stubEnv('TOLD_B', 'shell')
  vi.stubEnv('TOLD_C', '')
  loadSettings(home)
  expect(process.env).toMatchObject({ TOLD_A: 'file', TOLD_B: 'shell', TOLD_C: '' })
})

test('commands see what the installation was started with until the next start', () => {
  changeSettings(home, { TOLD_A: 'file', TOLD_B: 'file' })
  vi.stubEnv('TOLD_B', 'shell')
  loadSettings(home)
  expect(operatorEnvironment()).toMatchObject({ TOLD_A: 'file', TOLD_B: 'shell' })
  claimRun(home, {
    supervisor: markOf(process.pid)!,
    children: {},
    ports: {},
    temporalAddress: '127.0.0.1:7233',
    sources: 'live',
    settings: { TOLD_A: 'start', TOLD_B: 'start' },
  })
  expect(operatorEnvironment()).toMatchObject({ TOLD_A: 'start', TOLD_B: 'shell' })
})

test('npm start reads the file', async () => {
  changeSettings(home, { LOG_LEVEL: 'loud' })
  const { status, stderr } = await sluiceHere({ SLUICE_HOME: home })('start')
  expect([status, stderr]).toEqual([1, expect.stringMatching(/LOG_LEVEL .*debug/)])
})

test('programs of developers do not', async () => {
  changeSettings(home, { SLUICE_HOME: '/refused' })
  const sluice = sluiceHere({ SLUICE_HOME: home })
  expect((await sluice('sources')).stderr).toContain('sets SLUICE_HOME')
  expect((await sluice('screenshots', '--unknown')).stderr).not.toContain('sets SLUICE_HOME')
})

test('the file cannot say where it is itself', () => {
  writeFileSync(settingsFile(home), 'SLUICE_HOME=/elsewhere\n')
  expect(() => loadSettings(home)).toThrow(/sets SLUICE_HOME: set it in the environment instead/)
})
