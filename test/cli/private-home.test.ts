import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ROOT } from '../../cli/folders.ts'

let parent: string
let home: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'sluice-private-'))
  home = join(parent, 'home')
})
afterEach(() => rmSync(parent, { recursive: true, force: true }))

const modeOf = (name: string) => (statSync(join(home, name)).mode & 0o777).toString(8)
const OWN_HOME = process.getuid?.() === 0 ? '711' : '700'

/** In a process of its own, as the supervisor does: it logs, past the size of a log, and has a child write a database. */
function start(): void {
  const script = `
    import { execFileSync } from 'node:child_process'
    import { openPrivateHome } from './cli/supervisor/private-home.ts'
    import { openLogFile } from './cli/supervisor/log-file.ts'
    const [home] = process.argv.slice(1)
    process.umask(0o022)
    openPrivateHome(home)
    const log = openLogFile(home + '/logs/api.log', { maxBytes: 10 })
    for (let i = 0; i < 3; i++) log.write('a line of it')
    log.close()
    execFileSync('/bin/sh', ['-c', 'mkdir -p chains && echo > temporal.sqlite-wal && echo > chains/1.json'], { cwd: home })`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script, home], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([0, ''])
}

const WRITTEN = ['logs/api.log', 'logs/api.log.1', 'temporal.sqlite-wal', 'chains/1.json']

test('what the supervisor and its children write is for their user alone, also a log that has grown full', () => {
  start()
  expect(modeOf('')).toBe(OWN_HOME)
  for (const name of ['logs', 'chains']) expect([name, modeOf(name)]).toEqual([name, '700'])
  for (const name of WRITTEN) expect([name, modeOf(name)]).toEqual([name, '600'])
})

test('a home that an earlier version left readable is closed with the next start', () => {
  for (const name of [...WRITTEN, 'secrets.json', 'run.json', 'temporal.sqlite', 'postgres/base']) {
    mkdirSync(join(home, dirname(name)), { recursive: true })
    writeFileSync(join(home, name), '')
  }
  for (const name of ['', 'logs', 'chains', 'postgres']) chmodSync(join(home, name), 0o755)
  for (const name of [...WRITTEN, 'run.json', 'temporal.sqlite']) chmodSync(join(home, name), 0o644)
  start()
  expect([modeOf(''), modeOf('logs'), modeOf('chains')]).toEqual([OWN_HOME, '700', '700'])
  for (const name of [...WRITTEN, 'run.json', 'temporal.sqlite'])
    expect([name, modeOf(name)]).toEqual([name, '600'])
  // Postgres keeps its own, as another account where root has started it.
  expect(modeOf('postgres')).toBe('755')
})

test('a home that was closed is opened to nobody: the database of it lies elsewhere', () => {
  mkdirSync(home, { mode: 0o700 })
  writeFileSync(join(home, 'secrets.json'), '')
  start()
  expect(modeOf('')).toBe('700')
})

test('an export into the home is for its user alone, one into another folder as its user has it', () => {
  const script = `
    import { writeFileSync } from 'node:fs'
    import { exportTarget } from './cli/export-target.ts'
    process.umask(0o022)
    exportTarget(process.argv[2])
    writeFileSync(process.argv[1] + '/file', '')`
  const modes = [undefined, join(parent, 'elsewhere')].map((to) => {
    rmSync(join(parent, 'file'), { force: true })
    const args = ['--input-type=module', '-e', script, parent, ...(to === undefined ? [] : [to])]
    const env = { ...process.env, SLUICE_HOME: home, EXPORT_TO: '' }
    expect(spawnSync(process.execPath, args, { cwd: ROOT, env, encoding: 'utf8' }).stderr).toBe('')
    return modeOf('../file')
  })
  expect(modes).toEqual(['600', '644'])
})

test('a folder of somebody that is named as home by mistake keeps its rights', () => {
  mkdirSync(join(home, 'logs'), { recursive: true })
  writeFileSync(join(home, 'letter.txt'), '')
  for (const name of ['', 'logs']) chmodSync(join(home, name), 0o755)
  start()
  expect([modeOf(''), modeOf('logs')]).toEqual(['755', '755'])
})
