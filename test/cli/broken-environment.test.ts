import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { format } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { COMMANDS } from '../../cli/commands.ts'
import type { CommandSpec } from '../../cli/command-spec.ts'
import { runCommandLine } from '../../cli/run-command-line.ts'

/** Time limit for a machine under load, not an expected speed. */
const BOUND_MS = 60_000

/**
 * Commands that need no database: they write files of the project, or print what they generate. `setup` prepares a home
 * before there is one: test/cli/setup.test.ts.
 */
const STANDS_ALONE =
  /^(completion|check|schema|openapi|package|release|setup|export dictionary|exchanges new-key|users new-key)/
/** Commands that start their own database: only settings and the home can stop them. */
const STARTS = /^(start|up|topology)$/

/** Commands that end what runs: where nothing does, they have nothing to do. */
const ENDS = /^(down|stop|uninstall)$/

/** Operands that a command checks before it connects anywhere. */
const VALUES: Record<string, string> = {
  PATH: '/coins',
  SOURCE: 'defillama',
  FILE: '/missing.csv',
  COUNT: '1',
  ROLE: 'trade',
  'TRANSACTION|PAYER': `0x${'a'.repeat(40)}`,
}

const lines = COMMANDS.flatMap(({ spec }) => (spec ? linesOf(spec) : [])).filter(
  (line) => !STANDS_ALONE.test(line.join(' ')) && !ENDS.test(line.join(' ')),
)

function linesOf(spec: CommandSpec): string[][] {
  return Object.entries(spec.actions).map(([action, { operands = {}, options = {} }]) => [
    ...[spec.name, action].filter((word) => word !== ''),
    ...Object.values(operands).map(({ value, oneOf }) => oneOf?.[0] ?? VALUES[value] ?? 'x'),
    ...Object.entries(options).flatMap(([name, { required, kind, oneOf, least = 1, value = '' }]) =>
      required
        ? [
            `--${name}`,
            oneOf?.[0] ??
              VALUES[value] ??
              (kind === 'text' ? 'x' : kind === 'instant' ? '2026-01-01' : String(least)),
          ]
        : [],
    ),
  ])
}

const said = new AsyncLocalStorage<string[]>()
const folder = mkdtempSync(join(tmpdir(), 'sluice-broken-'))
const file = join(folder, 'file')
const sockets: Socket[] = []
/** Accepts connections and never answers. */
let silent: Server

beforeAll(async () => {
  writeFileSync(file, '')
  for (const name of ['log', 'error', 'warn'] as const)
    vi.spyOn(console, name).mockImplementation((...words) => void said.getStore()?.push(format(...words)))
  silent = createServer((socket) => sockets.push(socket.on('error', () => {})))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
})
afterEach(() => vi.unstubAllEnvs())
afterAll(() => {
  vi.restoreAllMocks()
  for (const socket of sockets) socket.destroy()
  silent.close()
  rmSync(folder, { recursive: true })
})

async function outcomes(env: Record<string, string>, wanted: readonly string[][]) {
  vi.stubEnv('OIDC_ISSUER', 'https://login.example')
  for (const name of ['DATABASE_URL', 'TEMPORAL_ADDRESS', 'SLUICE_URL']) vi.stubEnv(name, '')
  vi.stubEnv('SLUICE_HOME', join(folder, 'home'))
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  return Promise.all(
    wanted.map((line) => {
      const output: string[] = []
      return said.run(output, async () => {
        const late = new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), BOUND_MS).unref())
        const code = await Promise.race([runCommandLine(line), late])
        return { line: line.join(' '), code, output: output.join('\n') }
      })
    }),
  )
}

/** Returns bad outcomes: no failure, no end, a stack, or no advice on what to do. */
function complaints(found: Awaited<ReturnType<typeof outcomes>>): unknown[] {
  const whatToDo =
    /\b(set|run|start|correct|give|name|free|use|say|write|see|let|mend|raise|look|is missing)\b/i
  return found.filter(
    ({ code, output }) =>
      code === 0 || code === 'late' || /^ {4}at |unexpected:/m.test(output) || !whatToDo.test(output),
  )
}

const others = lines.filter((line) => !STARTS.test(line.join(' ')))
const at = (port: number) => ({
  DATABASE_URL: `postgres://sluice:x@127.0.0.1:${port}/sluice`,
  TEMPORAL_ADDRESS: `127.0.0.1:${port}`,
})

test('every command says in a sentence that no database listens', async () => {
  expect(others.length).toBeGreaterThan(50)
  expect(complaints(await outcomes(at(1), others))).toEqual([])
})

test('every command gives up on a database that accepts connections and never answers', async () => {
  const { port } = silent.address() as AddressInfo
  expect(complaints(await outcomes(at(port), others))).toEqual([])
})

test('every command rejects malformed addresses', async () => {
  const found = await outcomes({ DATABASE_URL: 'nonsense', TEMPORAL_ADDRESS: 'nonsense' }, lines)
  expect(complaints(found)).toEqual([])
  const accounts = found.find(({ line }) => line === 'accounts list')!
  expect(accounts.output).toContain('DATABASE_URL is not a database address: give postgres://')
  const start = found.find(({ line }) => line === 'start')!
  expect(start.output).toContain('2 settings are wrong')
})

test.each(['file', 'below a file', 'where nothing can be made'])(
  'every command rejects a home with an unusable path: %s',
  async (kind) => {
    const home = { file, 'below a file': join(file, 'home') }[kind] ?? '/proc/none/home'
    const found = await outcomes({ SLUICE_HOME: home }, lines)
    expect(complaints(found)).toEqual([])
    const start = found.find(({ line }) => line === 'start')!
    expect(start.output).toContain(`Set SLUICE_HOME to another folder; it is ${home}.`)
  },
)

test('with a missing home every command says that nothing runs', async () => {
  const found = await outcomes({ SLUICE_HOME: join(folder, 'missing'), DATABSE_URL: 'postgres://x' }, others)
  expect(complaints(found)).toEqual([])
  const status = found.find(({ line }) => line === 'status')!
  expect(status.output).toContain('DATABSE_URL is set and unknown: did you mean DATABASE_URL?')
})

test.each(['file', '/proc/none'])('an export to %s fails with a sentence', async (to) => {
  const [found] = await outcomes(at(1), [['export', '--to', to === 'file' ? file : to]])
  expect(complaints([found!])).toEqual([])
  expect(found!.output).toContain(to === 'file' ? `${file} is a file` : '/proc/none does not exist')
})

test('export verify without an export says how to write one', async () => {
  const missing = join(folder, 'nowhere')
  const [found] = await outcomes(at(1), [['export', 'verify', missing]])
  expect(found).toMatchObject({
    code: 1,
    output: `sluice: there is no export in ${missing}: write one with "sluice export --to ${missing}"`,
  })
})
