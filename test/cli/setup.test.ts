import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AREAS } from '../../activities/all-areas.ts'
import { setUp } from '../../cli/setup/run-setup.ts'
import { openTerminal } from '../../cli/setup/terminal.ts'
import { settingsFile } from '../../cli/settings-file.ts'
import { stopLater } from '../upstreams/actors.ts'
import { createClock } from '../upstreams/double.ts'
import { ETHERSCAN_KEY, startEtherscan } from '../upstreams/etherscan.ts'
import { createMemoryChain } from '../upstreams/nodes/chain.ts'
import { sluiceHere } from './sluice-here.ts'

// The keys are asked for in the order of docs/live.md: ETHERSCAN_API_KEY is the first.

const ENTER = '\r'
const CTRL_C = '\x03'
let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'sluice-setup-'))
  vi.stubEnv('SLUICE_HOME', home)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(home, { recursive: true })
})

const stored = () => readFileSync(settingsFile(home), 'utf8')

async function startService() {
  const chains = [createMemoryChain({ chainId: 1 })]
  const double = stopLater(await startEtherscan({ clock: createClock(), chains }))
  vi.stubEnv('ETHERSCAN_URL', double.apiUrl)
  return double
}

/** Keys that are asked for, one after the other. */
const KEYS = new Set(AREAS.flatMap(({ sources }) => sources.flatMap(({ key }) => key?.variable ?? []))).size

/** Types at a terminal. Returns the exit code and what is on the screen. */
async function type(...typed: string[]): Promise<{ code: number; screen: string }> {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const terminal = openTerminal({ input, output, isTerminal: true })
  for (const one of typed) input.write(one)
  try {
    const code = await setUp(home, terminal)
    return { code, screen: await textOf(output.end()) }
  } finally {
    terminal.close()
  }
}

test('a key is tested and stored, other settings stay, and the plan follows', async () => {
  writeFileSync(settingsFile(home), '# ours\nLOG_LEVEL=debug\nBLOCKSCOUT_API_KEY=old\n', { mode: 0o644 })
  const service = await startService()
  const { code, screen } = await type(ETHERSCAN_KEY, ENTER, '-', ENTER, 'q', ENTER)
  expect(code).toBe(0)
  expect(stored()).toBe(`# ours\nLOG_LEVEL=debug\nETHERSCAN_API_KEY=${ETHERSCAN_KEY}\nSOURCES=live\n`)
  expect(statSync(settingsFile(home)).mode & 0o777).toBe(0o600)
  expect(service.asked).toHaveLength(1)
  expect(screen).toContain('free plan  3 a second; 100,000 requests a day')
  expect(screen).toContain('get it at  https://etherscan.io/apis')
  expect(screen).toContain(`2/${KEYS}  BLOCKSCOUT_API_KEY: in the file`)
  expect(screen).toMatch(/etherscan +chain +on/)
  expect(screen).toMatch(/blockscout +chain +off: set BLOCKSCOUT_API_KEY/)
  expect(screen).not.toContain(ETHERSCAN_KEY)
})

test('a refused key is told with the reason of the service, and stored only if the operator insists', async () => {
  await startService()
  const asked = ['wrong-key', ENTER, 'n', ENTER, 'wrong-key', ENTER, 'y', ENTER, 'q', ENTER]
  const refused = await type(...asked.slice(0, 4), 'q', ENTER)
  expect(refused.screen).toContain('etherscan refuses it: NOTOK Missing/Invalid API Key')
  expect(stored()).toBe('SOURCES=live\n')
  const { screen } = await type(...asked)
  expect(stored()).toContain('ETHERSCAN_API_KEY=wrong-key\n')
  expect(screen).not.toContain('wrong-key')
})

test('a service that is down refuses no key', async () => {
  const service = await startService()
  await service.stop()
  const { screen } = await type('some-key', ENTER, 'q', ENTER)
  expect(screen).toMatch(/etherscan gave no answer, so it is not tested: .*ECONNREFUSED/)
  expect(stored()).toContain('ETHERSCAN_API_KEY=some-key\n')
})

test('Ctrl-C changes nothing', async () => {
  writeFileSync(settingsFile(home), 'ETHERSCAN_API_KEY=old\n')
  await startService()
  const { code, screen } = await type(ETHERSCAN_KEY, ENTER, CTRL_C)
  expect(code).toBe(130)
  expect(screen).toContain('Nothing was changed.')
  expect(stored()).toBe('ETHERSCAN_API_KEY=old\n')
})

test('nodes are asked once, and an address that is none is asked for again', async () => {
  const skipped = Array.from({ length: KEYS }, () => ENTER)
  const { screen } = await type(
    ...skipped,
    'not an address',
    ENTER,
    'http://127.0.0.1:1/key',
    ENTER,
    'q',
    ENTER,
  )
  expect(screen).toMatch(/RPC_URL_ETHEREUM .*address/)
  expect(screen).toContain('the node at 127.0.0.1:1 gave no answer')
  expect(stored()).toContain('RPC_URL_ETHEREUM=http://127.0.0.1:1/key\n')
})

test('a home of the sandbox is left alone', async () => {
  writeFileSync(join(home, 'sources'), 'sandbox\n')
  await expect(type('q', ENTER)).rejects.toThrow(/holds a sandbox/)
})

test('a home that cannot be used is refused before anything is asked', async () => {
  const file = join(home, 'file')
  writeFileSync(file, '')
  const sluice = sluiceHere({ SLUICE_HOME: file })
  for (const args of [[], ['set', 'ETHERSCAN_API_KEY', 'some-key']]) {
    const { status, stderr } = await sluice('setup', ...args)
    expect([status, stderr]).toEqual([1, expect.stringContaining('Set SLUICE_HOME to another folder')])
  }
})

test('programs set, list and remove settings', async () => {
  const { apiUrl } = await startService()
  const sluice = sluiceHere({ SLUICE_HOME: home, ETHERSCAN_URL: apiUrl })
  const set = await sluice('setup', 'set', 'ETHERSCAN_API_KEY', ETHERSCAN_KEY, '--json')
  expect(JSON.parse(set.stdout)).toEqual({
    name: 'ETHERSCAN_API_KEY',
    file: settingsFile(home),
    state: 'works',
    said: 'etherscan answers',
  })
  const refused = await sluice('setup', 'set', 'ETHERSCAN_API_KEY', 'wrong-key')
  expect(refused.status).toBe(1)
  expect(refused.stderr).toContain('ETHERSCAN_API_KEY: etherscan refuses it: NOTOK Missing/Invalid API Key')
  expect(stored()).toBe(`ETHERSCAN_API_KEY=${ETHERSCAN_KEY}\n`)
  expect((await sluice('setup', 'set', 'ETHERSCAN_API_KEY', 'wrong-key', '--no-check')).status).toBe(0)
  const list = await sluice('setup', 'list', '--json')
  expect(JSON.parse(list.stdout)[0]).toMatchObject({ setting: 'ETHERSCAN_API_KEY', set: 'in the file' })
  expect(set.stdout + refused.stderr + list.stdout).not.toMatch(/wrong-key|a-free-key/)
  expect((await sluice('setup', 'remove', 'ETHERSCAN_API_KEY')).status).toBe(0)
  expect(stored()).toBe('')
  expect((await sluice('setup', 'remove', 'ETHERSCAN_API_KEY')).status).toBe(1)
})

test('the environment wins, and the command says so', async () => {
  const sluice = sluiceHere({ SLUICE_HOME: home, LOG_LEVEL: 'warn' })
  const { status, stderr } = await sluice('setup', 'set', 'LOG_LEVEL', 'debug')
  expect([status, stderr]).toEqual([
    0,
    'warning: LOG_LEVEL is set in the environment too, which wins over the file\n',
  ])
})

test.each([
  ['COINGEKO_API_KEY', 'key', 'did you mean "COINGECKO_API_KEY"?', 2],
  ['SLUICE_HOME', '/elsewhere', 'set it in the environment', 2],
  ['LOG_LEVEL', 'loud', 'LOG_LEVEL', 1],
])('%s=%s is not stored', async (name, value, reason, code) => {
  const { status, stderr } = await sluiceHere({ SLUICE_HOME: home })('setup', 'set', name, value)
  expect(status).toBe(code)
  expect(stderr).toContain(reason)
})
