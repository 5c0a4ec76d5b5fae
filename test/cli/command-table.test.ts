import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { COMMANDS } from '../../cli/commands.ts'
import { completionScript } from '../../cli/completion-script.ts'
import { printManPage } from '../../cli/man-page.ts'
import { commandText, overviewText } from '../../cli/help-text.ts'
import { nearest } from '../../ops/settings/nearest.ts'
import { tableText, toJson } from '../../cli/print.ts'
import { bar, createProgress } from '../../cli/progress.ts'
import { sluiceHere } from './sluice-here.ts'
import { sluiceOn } from './sluice-on.ts'

const settings = { SLUICE_HOME: '/nowhere', DATABASE_URL: '', TEMPORAL_ADDRESS: '' }
const [sluice, program] = [sluiceHere(settings), sluiceOn(settings)]
const specs = COMMANDS.flatMap(({ spec }) => spec ?? [])
const actions = specs.flatMap((spec) =>
  Object.entries(spec.actions).map(([name, action]) => ({ spec, name, action })),
)

describe('the table of commands', () => {
  test('has unique names in lower case, each with one line of help', () => {
    const names = COMMANDS.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const { name, help } of [
      ...COMMANDS,
      ...actions.map(({ spec, action }) => ({ name: 'x', help: action.help ?? spec.help })),
    ]) {
      expect(name).toMatch(/^[a-z-]+$/)
      expect(help).toMatch(/^[^\n]{5,110}[^.\n]$/)
    }
    // An action needs its own help unless it is the only one of its command.
    for (const { spec, action } of actions)
      if (Object.keys(spec.actions).length > 1) expect(action.help).toEqual(expect.any(String))
  })

  test('an option takes a value in all actions of a command or in none', () => {
    for (const spec of specs) {
      const kinds = new Map<string, boolean>()
      for (const { options = {} } of Object.values(spec.actions))
        for (const [name, { kind, oneOf }] of Object.entries(options)) {
          const takes = kind !== undefined || oneOf !== undefined
          expect([spec.name, name, kinds.get(name) ?? takes]).toEqual([spec.name, name, takes])
          kinds.set(name, takes)
        }
    }
  })

  test('has every command that an operator needs', () => {
    const wanted = `up status sources schedules sync backfill quarantine keys accounts portfolios export verify
      doctor record pay completion start migrate`
    expect(COMMANDS.map(({ name }) => name)).toEqual(expect.arrayContaining(wanted.split(/\s+/)))
  })

  test('every command that prints data has --json', () => {
    const data = /^(list|show|transactions|movements|matches|top-ups|create)$/
    const printing = actions.filter(({ name }) => data.test(name))
    expect(printing.length).toBeGreaterThan(12)
    for (const { spec, name, action } of printing)
      expect([spec.name, name, Object.keys(action.options ?? {})]).toEqual([
        spec.name,
        name,
        expect.arrayContaining(['json']),
      ])
  })

  test('the help lists every command with its actions and options', () => {
    const overview = overviewText(COMMANDS)
    for (const command of COMMANDS) {
      expect(overview).toContain(`  ${command.name} `)
      const text = commandText(command)
      for (const [name, { options = {} }] of Object.entries(command.spec?.actions ?? {})) {
        expect(text).toContain(`sluice ${command.name} ${name}`.trimEnd())
        for (const option of Object.keys(options)) expect(text).toContain(`--${option}`)
      }
    }
  })
})

test('the man page has every command, action and option, and no text that roff would take for a request', () => {
  const page = printManPage(COMMANDS)
  const shown = page.replaceAll('\\-', '-')
  for (const { spec, name, action } of actions) {
    expect(shown).toContain(`sluice ${spec.name} ${name}`.trimEnd())
    for (const option of Object.keys(action.options ?? {})) expect(shown).toContain(`--${option}`)
  }
  const requests = page.split('\n').filter((line) => /^[.']/.test(line))
  for (const line of requests) expect(line).toMatch(/^\.(\\"|TH|SH|SS|PP|TP|B|I|nf|fi)( |$)/)
})

describe('a wrong command line exits with code 2 and says what is wrong', () => {
  test.each([
    [['stats'], 'there is no command "stats"; did you mean "status"?'],
    [['zzz'], 'there is no command "zzz"\n"sluice help" lists them all.'],
    [['keys', 'lst'], '"sluice keys" has no "lst"; did you mean "list"?'],
    [['keys'], 'give an action: create, list, revoke'],
    [['keys', 'list'], '--account is missing'],
    [['keys', 'list', '--account'], '--account needs a value'],
    [['keys', 'list', '--account', '--json'], '--account needs a value'],
    [['keys', 'list', '--account', 'x', 'y'], 'unexpected argument "y"'],
    [['keys', 'list', '--name', 'x'], '"sluice keys list" has no option --name'],
    [['status', '--watc'], '"sluice status" has no option --watc; did you mean "--watch"?'],
    [['status', '--json=yes'], '--json takes no value'],
    [['status', '--every', '0'], '--every must be a whole number from 1 to 3600, not "0"'],
    [['backfill', '--from', 'tomorrow'], '--from must be a date'],
    [
      ['backfill', '--from', '2026-01-01', '--resolution', 'dya'],
      '--resolution must be one of day, hour, not "dya"',
    ],
    [['accounts', 'degen', 'x', 'of'], '"of" is not one of on, off; did you mean "on"?'],
    [['help', 'doctr'], 'did you mean "doctor"?'],
  ])('sluice %j', async (args, message) => {
    const { status, stdout, stderr } = await sluice(...args)
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('    at ')
  })
})

test('help for all commands, one command or one action goes to stdout with code 0', async () => {
  expect(program()).toMatchObject({
    status: 0,
    stderr: '',
    stdout: expect.stringContaining('Monitor and repair'),
  })
  const ofKeys = await sluice('keys', '--help')
  expect(ofKeys).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('sluice keys create --account ACCOUNT'),
  })
  expect(await sluice('help', 'keys')).toEqual(ofKeys)
  expect((await sluice('keys', 'list', '-h')).stdout).not.toContain('sluice keys create')
})

test('without an installation commands say in one line what to do', () => {
  for (const name of ['sources', 'status'])
    expect(program(name)).toEqual({
      status: 1,
      stdout: '',
      stderr: 'sluice: no database: run "npm start" in another terminal, or set DATABASE_URL\n',
    })
})

test.each([
  ['shedules', 'schedules'],
  ['statsu', 'status'],
  ['paymnts', 'payments'],
  ['xyz', null],
])('the nearest command to %s is %s', (word, name) => {
  expect(
    nearest(
      word,
      COMMANDS.map((command) => command.name),
    ),
  ).toBe(name)
})

test('progress is one line on a terminal, cleared at the end, and nothing is printed elsewhere', () => {
  const written: string[] = []
  const stream = (isTTY: boolean) =>
    ({ isTTY, columns: 60, write: (text: string) => written.push(text) }) as unknown as NodeJS.WriteStream
  const progress = createProgress(stream(true))
  progress.show(0.5, 'ethereum: reading, 12 rows')
  progress.show(0.5, 'ethereum: reading, 12 rows')
  progress.show(null, 'waiting')
  progress.end()
  const start = '\r\u001B[K'
  expect(written).toEqual([
    `${start}[############............]  50 % ethereum: reading, 12 rows`,
    `${start}waiting`,
    start,
  ])
  let ms = 0
  const timed = createProgress(stream(true), () => ms)
  timed.show(0.1, 'reading')
  ms = 60_000
  timed.show(0.25, 'reading')
  expect(written.splice(3)).toEqual([
    `${start}[##......................]  10 % reading`,
    `${start}[######..................]  25 % reading, about 3 min left`,
  ])
  createProgress(stream(false)).show(0.5, 'x')
  expect(written).toHaveLength(3)
  expect([bar(-1), bar(2)]).toEqual([`[${'.'.repeat(24)}]   0 %`, `[${'#'.repeat(24)}] 100 %`])
})

test('tables fit their content, JSON keeps every digit, and control characters are removed', () => {
  const rows = [
    { name: 'a', n: 5, at: new Date(0) },
    { name: 'long\u001B[31m', n: 1_000n, at: null },
  ]
  expect(tableText(rows)).toBe(
    ['name          n  at', 'a             5  1970-01-01T00:00:00.000Z', 'long [31m  1000'].join('\n'),
  )
  expect(tableText([])).toBe('none')
  expect(JSON.parse(toJson({ big: 2n ** 64n, rows: rows.slice(0, 1) }))).toEqual({
    big: '18446744073709551616',
    rows: [{ name: 'a', n: 5, at: '1970-01-01T00:00:00.000Z' }],
  })
})

describe('completion', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-completion-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  test('bash completes commands, actions, options and their words', () => {
    const script = join(folder, 'sluice.bash')
    writeFileSync(script, completionScript(COMMANDS, 'bash'))
    const complete = (...words: string[]) => {
      const list = ['sluice', ...words].map((word) => `'${word}'`).join(' ')
      const run = `source ${script}; COMP_WORDS=(${list}); COMP_CWORD=${words.length}; _sluice; echo "\${COMPREPLY[*]}"`
      return execFileSync('bash', ['-c', run], { encoding: 'utf8' }).trim().split(' ')
    }
    expect(complete('sta')).toEqual(['status', 'start'].sort((a, b) => names.indexOf(a) - names.indexOf(b)))
    expect(complete('help', 'doc')).toEqual(['doctor'])
    expect(complete('keys', '')).toEqual(['create', 'list', 'revoke', '--help'])
    expect(complete('keys', 'create', '--r')).toEqual(['--read-only'])
    expect(complete('keys', 'revoke', '--')).toEqual(['--account', '--prefix', '--json', '--help'])
    expect(complete('accounts', 'create', '--plan', '')).toEqual(['free', 'starter', 'pro', 'enterprise'])
    expect(complete('completion', '')).toEqual(['bash', 'zsh', 'fish', '--help'])
    expect(complete('export', 'v')).toEqual(['verify'])
  })
  const names = COMMANDS.map(({ name }) => name)

  test.each(['bash', 'zsh', 'fish'] as const)(
    'the %s script has every command, action and option',
    (shell) => {
      const { status, stdout } = program('completion', shell)
      expect(status).toBe(0)
      expect(stdout).toBe(completionScript(COMMANDS, shell))
      const dash = shell === 'fish' ? '-l ' : '--'
      for (const { spec, name, action } of actions)
        for (const word of [
          spec.name,
          name,
          ...Object.keys(action.options ?? {}).map((option) => dash + option),
        ])
          expect(stdout).toContain(word)
      if (shell === 'bash') expect(spawnSync('bash', ['-n'], { input: stdout }).status).toBe(0)
    },
  )
})
