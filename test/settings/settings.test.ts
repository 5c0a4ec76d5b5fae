import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { AREAS } from '../../activities/all-areas.ts'
import { readIngestConfig } from '../../activities/config.ts'
import { doubtsOf, problemsOf, refuseWrongSettings } from '../../cli/check-environment.ts'
import { printConfiguration } from '../../cli/configuration-page.ts'
import { misspelt } from '../../ops/settings/misspelt.ts'
import { VARIABLES } from '../../ops/settings/variables.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const page = read('docs/configuration.md')
const sources = AREAS.flatMap((area) => area.sources)
const names = Object.keys(VARIABLES)

test('lists all wrong settings at once, with what to give instead', () => {
  const problems = problemsOf({
    API_PORT: 'abc',
    SOURCES: 'sandbx',
    DATABASE_URL: 'nonsense',
    X402_PAY_TO: '0x9a',
    COINGECKO_URL: 'coingecko.com',
    COINGECKO_RPS: 'many',
    RPC_URL_BASE: 'node',
    AS_OF_DAYS: '-1',
    EXPORT_TO: 's3://bucket/exports',
    TEMPORAL_ADDRESS: 'temporal',
    ACCOUNT_SECRET: 'short',
  })
  expect([...problems].sort()).toEqual([
    'ACCOUNT_SECRET is too short: give 16 characters or more',
    'API_PORT is "abc": give a whole number from 0 to 65535',
    'AS_OF_DAYS is "-1": give a whole number from 0 to 99999',
    'COINGECKO_RPS is "many": give a number above 0',
    'COINGECKO_URL is not a web address: give one that begins with https:// or http://',
    'DATABASE_URL is not a database address: give postgres://USER:PASSWORD@HOST:PORT/DATABASE',
    expect.stringMatching(/^EXPORT_TO cannot be used: .*AWS_ACCESS_KEY_ID/),
    'RPC_URL_BASE is not a web address: give one that begins with https:// or http://',
    'SOURCES is "sandbx": give "sandbox" or "live"',
    'TEMPORAL_ADDRESS is "temporal": give HOST:PORT',
    'X402_PAY_TO is "0x9a": give 0x and 40 hexadecimal digits, as a wallet shows it',
  ])
})

test('an empty variable counts as not set, and no variable is required', () => {
  expect(problemsOf({ API_PORT: '', SOURCES: '', DATABASE_URL: '' })).toEqual([])
})

test('no message shows a value that may be secret', () => {
  const secret = 'S3cret'
  const env = Object.fromEntries(
    names.filter((name) => /URL|KEY|SECRET|TOKEN$|PASSWORD|PEPPER/.test(name)).map((name) => [name, secret]),
  )
  expect(problemsOf(env).length).toBeGreaterThan(10)
  expect(problemsOf(env).join('\n')).not.toContain(secret)
})

test.each([
  ['DATABSE_URL', 'DATABASE_URL'],
  ['API_PROT', 'API_PORT'],
  ['api_port', 'API_PORT'],
  ['SOURCE', 'SOURCES'],
  ['COINGEKO_API_KEY', 'COINGECKO_API_KEY'],
])('warns that %s is unknown and suggests %s', (name, meant) => {
  expect(doubtsOf({ [name]: 'x' })).toEqual([`${name} is set and unknown: did you mean ${meant}?`])
})

test('does not warn about variables of other programs or our own', () => {
  const others =
    'PATH HOME HOSTNAME LOGNAME PWD SHLVL USER SHELL TERM LANG NODE_ENV NO_COLOR HTTP_PROXY PGHOST PGPORT'
  const own = [
    ...names,
    ...sources.flatMap(({ urlVariable, key }) => [urlVariable, key?.variable ?? 'RPC_URL_ETHEREUM']),
  ]
  const env = Object.fromEntries([...others.split(' '), ...own].map((name) => [name, 'x']))
  expect(doubtsOf(env)).toEqual([])
  // A process without sources does not take their variables for typing errors.
  expect(misspelt(env, { known: names })).toEqual([])
})

test('a start fails with the whole list of problems, and warnings are logged', () => {
  const said: string[] = []
  const start = () =>
    refuseWrongSettings({ API_PORT: 'abc', SOURCES: 'x', API_PROT: '1' }, (line) => said.push(line))
  expect(start).toThrow(
    /^2 settings are wrong:\n {2}\w+ is .*\n {2}\w+ is .*\nSee docs\/configuration\.md\.$/,
  )
  expect(said).toEqual(['warning: API_PROT is set and unknown: did you mean API_PORT?'])
})

test('the tables of docs/configuration.md match the declarations', () => {
  expect(printConfiguration(page)).toBe(page)
})

test('docs/configuration.md lists every source with its address and whether it needs a key', () => {
  for (const { urlVariable, defaultUrl, key } of sources) {
    expect(page).toContain(`\`${urlVariable}\``)
    const row = page.split('\n').find((line) => line.startsWith(`| \`${urlVariable}\``))
    if (row) expect(row).toContain(defaultUrl === null ? '| none' : `| \`${defaultUrl}\``)
    if (!key) continue
    const line = page.split('\n').find((line) => line.startsWith(`| \`${key.variable}\``))
    expect([key.variable, line?.split('|')[3]?.trim()]).toEqual([key.variable, key.isRequired ? 'yes' : 'no'])
  }
})

test('every variable that the code reads is declared', () => {
  const folders = ['activities', 'api', 'cli', 'db', 'export', 'gateway', 'ops', 'sandbox', 'web']
  const files = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|mjs)$/.test(name))
      .map((name) => `${folder}/${name}`),
  )
  const used = files.flatMap((file) =>
    [...read(file).matchAll(/\b(?:process\.)?env(?:\.|\[')([A-Z][A-Z0-9_]{3,})\b/g)].map(([, name]) => name!),
  )
  /** Variables of the system. */
  const foreign = ['PATH', 'HOME', 'LOCALAPPDATA', 'ProgramFiles']
  const declared = new Set([
    ...names,
    ...foreign,
    'RPC_URL_BASE_WALLET',
    ...sources.flatMap(({ urlVariable, key }) => [urlVariable, key?.variable]),
  ])
  expect(used.length).toBeGreaterThan(30)
  expect([...new Set(used)].filter((name) => !declared.has(name))).toEqual([])
})

test('with live sources, networks without nodes of their own are read from public ones of several operators', () => {
  const { rpcUrls } = readIngestConfig({ SOURCES: 'live', RPC_URL_ETHEREUM: 'https://own.example' })
  const { ethereum, ...others } = rpcUrls
  expect(ethereum).toEqual(['https://own.example'])
  expect(Object.keys(others)).toEqual(
    expect.arrayContaining(['base-wallet', 'binancesmartchain', 'polygon-wallet']),
  )
  for (const [network, urls] of Object.entries(others)) {
    const operators = urls.map((url) => new URL(url).hostname.split('.').slice(-2).join('.'))
    expect(new Set(operators).size, network).toBe(urls.length)
    expect(urls.length, network).toBeGreaterThan(2)
  }
  expect(readIngestConfig({ SOURCES: 'sandbox' }).rpcUrls).toEqual({})
  expect(problemsOf({ SOURCES: 'live', FOLLOW_NETWORKS: 'polygon-wallet' })).toEqual([])
  expect(problemsOf({ SOURCES: 'live', FOLLOW_NETWORKS: 'monad-wallet' })).toEqual([
    'FOLLOW_NETWORKS names "monad-wallet", but RPC_URL_MONAD_WALLET is not set',
  ])
  const linea = { FOLLOW_NETWORKS: 'linea-wallet', RPC_URL_LINEA_WALLET: 'https://own.example' }
  expect(problemsOf({ SOURCES: 'live', ...linea })).toEqual([
    'FOLLOW_NETWORKS names "linea-wallet", whose head cannot be followed: its wallets are polled',
  ])
})

test('with live sources, networks that can be read are followed unless the operator says otherwise', () => {
  const followed = (env: Record<string, string>) =>
    readIngestConfig({ SOURCES: 'live', ...env }).followedNetworks
  const all = followed({})
  expect(all).toEqual(expect.arrayContaining(['ethereum', 'binancesmartchain', 'arbitrum-wallet']))
  // It has no public nodes.
  expect(all).not.toContain('monad-wallet')
  expect(followed({ RPC_URL_MONAD_WALLET: 'https://own.example' })).toContain('monad-wallet')
  expect(all).toContain('bitcoin')
  expect(followed({ FOLLOW_NETWORKS: 'none' })).toEqual([])
  expect(followed({ FOLLOW_NETWORKS: 'ethereum' })).toEqual(['ethereum'])
  expect(followed({ SOURCES: 'sandbox' })).toEqual([])
})

test('networks beyond all are read only where the operator names them or gives them nodes', () => {
  const networks = (env: Record<string, string>) => Object.keys(readIngestConfig(env).rpcUrls)
  const live = networks({ SOURCES: 'live' })
  expect(live).not.toContain('gnosis-wallet')
  expect(networks({ SOURCES: 'live', EXTRA_NETWORKS: 'gnosis-wallet, linea-wallet' })).toEqual([
    ...live,
    'gnosis-wallet',
    'linea-wallet',
  ])
  const own = { RPC_URL_GNOSIS_WALLET: 'https://own.example' }
  expect(readIngestConfig({ SOURCES: 'live', ...own }).rpcUrls['gnosis-wallet']).toEqual([
    'https://own.example',
  ])
  expect(networks({ SOURCES: 'sandbox', EXTRA_NETWORKS: 'gnosis-wallet', ...own })).toEqual(['gnosis-wallet'])
  expect(problemsOf({ SOURCES: 'sandbox', EXTRA_NETWORKS: 'gnosis-wallet' })).toEqual([
    'EXTRA_NETWORKS names "gnosis-wallet", but RPC_URL_GNOSIS_WALLET is not set',
  ])
  expect(problemsOf({ SOURCES: 'live', EXTRA_NETWORKS: 'gnosis,base-wallet' })).toEqual([
    expect.stringContaining('"gnosis", which is no such network. Close to it: '),
    expect.stringContaining('"base-wallet", which is no such network'),
  ])
})

test('places of workers are set by task queue, and the others keep theirs', () => {
  const { workerPlaces, workerVersion } = readIngestConfig({ WORKER_PLACES: 'history=32, exports=2' })
  expect([workerPlaces, workerVersion]).toEqual([{ main: 16, history: 32, derived: 4, exports: 2 }, null])
  const error = (given: string) =>
    `WORKER_PLACES is "${given}": give NAME=NUMBER, comma-separated, with names of main, history, derived, exports and whole numbers from 1 to 1000`
  for (const given of ['history', 'history=0', 'follow=3', 'history=1,,main=2', 'main=1001', 'main=1e3'])
    expect(problemsOf({ WORKER_PLACES: given })).toEqual([error(given)])
})

test('nodes of a network are a list, and one address is a list of one', () => {
  const { rpcUrls, nodeBudgets } = readIngestConfig({
    SOURCES: 'sandbox',
    RPC_URL_ETHEREUM: 'http://127.0.0.1:8545',
    RPC_URL_BASE_WALLET: 'https://a.example/v2/key, https://b.example,https://a.example/v2/key',
    NODE_BUDGETS: 'a.example=3200000, node.internal:8545=500@30',
  })
  expect(rpcUrls).toEqual({
    ethereum: ['http://127.0.0.1:8545'],
    'base-wallet': ['https://a.example/v2/key', 'https://b.example'],
  })
  expect([...nodeBudgets]).toEqual([
    ['a.example', { aDay: 3_200_000, aSecond: null }],
    ['node.internal:8545', { aDay: 500, aSecond: 30 }],
  ])
  expect(problemsOf({ RPC_URL_ETHEREUM: 'https://a.example,b.example', NODE_BUDGETS: 'much' })).toEqual([
    'NODE_BUDGETS is "much": give HOST=UNITS or HOST=UNITS@RATE, comma-separated, each a whole number',
    'RPC_URL_ETHEREUM is not a web address: give one that begins with https:// or http://',
  ])
})
