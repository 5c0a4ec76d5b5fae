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

/**
 * Acts like the supervisor in a separate process: logs beyond the size of a log, and a child writes a
 * database.
 */
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

test('files of the supervisor and its children are readable for their user only, rotated logs included', () => {
  start()
  expect(modeOf('')).toBe(OWN_HOME)
  for (const name of ['logs', 'chains']) expect([name, modeOf(name)]).toEqual([name, '700'])
  for (const name of WRITTEN) expect([name, modeOf(name)]).toEqual([name, '600'])
})

test('the next start closes a home that an earlier version left readable', () => {
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
  // Postgres keeps the mode of its folder, which belongs to another account if root started it.
  expect(modeOf('postgres')).toBe('755')
})

test('a closed home stays closed, because its database is elsewhere', () => {
  mkdirSync(home, { mode: 0o700 })
  writeFileSync(join(home, 'secrets.json'), '')
  start()
  expect(modeOf('')).toBe('700')
})

test('an export into the home is readable for its user only, elsewhere by the umask', () => {
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

test('a foreign folder that is named as home by mistake keeps its permissions', () => {
  mkdirSync(join(home, 'logs'), { recursive: true })
  writeFileSync(join(home, 'letter.txt'), '')
  for (const name of ['', 'logs']) chmodSync(join(home, name), 0o755)
  start()
  expect([modeOf(''), modeOf('logs')]).toEqual(['755', '755'])
})
