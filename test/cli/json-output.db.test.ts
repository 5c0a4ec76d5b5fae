import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { COMMANDS } from '../../cli/commands.ts'
import { createSealingKey } from '../../db/values/sealed-secret.ts'
import { openDb } from '../../db/connect.ts'
import { CHANGES, FOLLOWS, insertMoney, insertSources, NODES } from '../console/console-data.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'
import { query } from '../setup/query.ts'
import { sluiceHere } from './sluice-here.ts'

// Every action with --json prints data: one line of JSON with stable names, numbers and ISO times.

const database = await testDatabase()
const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
const folder = mkdtempSync(join(tmpdir(), 'sluice-json-'))
const ISSUER = 'https://id.example'
const sluice = sluiceHere({
  DATABASE_URL: database.ownerUrl,
  SLUICE_HOME: join(folder, 'home'),
  LOG_FOLDER: join(folder, 'logs'),
  EXPORT_TO: join(folder, 'export'),
  TEMPORAL_ADDRESS: '127.0.0.1:9',
  EXCHANGE_KEYS: createSealingKey(),
  ISSUER_SEALING_KEYS: createSealingKey(),
  SHARE_PEPPER: 'pepper of the tests',
  ISSUER_URL: ISSUER,
  OIDC_ISSUER: ISSUER,
  ALERT_WEBHOOK_URL: '',
})
/** Names of what earlier commands made: `$account` in arguments. */
const made: Record<string, string> = {}

beforeAll(async () => {
  vi.stubEnv('COINGECKO_API_KEY', 'x')
  await insertCoin(owner.db, { id: 'bitcoin', at: new Date() })
  await query(
    database.ownerUrl,
    `update coins set source = 'coingecko';
     insert into coin_mappings (source, upstream_id, coin_id) values ('coingecko', 'bitcoin', 'bitcoin')
     on conflict do nothing`,
  )
  const { retryable } = await insertSources(owner.db)
  made['row'] = retryable
  for (const sql of [FOLLOWS, NODES, CHANGES]) await query(database.ownerUrl, sql)
  const [big, small] = await query<{ id: string }>(
    database.ownerUrl,
    `insert into accounts (name, plan) values ('big', 'pro'), ('small', 'free') returning id`,
  )
  await insertMoney(database.ownerUrl, { big: big!.id, small: small!.id })
  const [payment] = await query<{ id: string }>(
    database.ownerUrl,
    `select id from payments where state = 'settled' limit 1`,
  )
  made['payment'] = payment!.id
  const [incident] = await query<{ id: string }>(
    database.ownerUrl,
    `insert into incidents (rule, subject, severity, summary, since, fired_at)
     values ('OutboxStuck', '', 'page', 'A command waits', now(), now()) returning id::text`,
  )
  made['incident'] = incident!.id
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await owner.close()
  rmSync(folder, { recursive: true })
})

/** What is run for each action, in this order. A name before `=` keeps a field of what is printed. */
const RUNS: readonly [action: string, args?: string, keep?: Record<string, string>][] = [
  ['upgrade', '--check'],
  ['status'],
  ['doctor', '--offline'],
  ['sources'],
  ['sources drift'],
  ['sources accept', 'coingecko'],
  ['sources pause', 'decrypt'],
  ['sources resume', 'decrypt'],
  ['sources limit', 'decrypt --rate 0.5 --units 10 --per day'],
  ['incidents'],
  ['incidents acknowledge', '$incident'],
  ['incidents silence', 'SourceLate --reason test', { silence: 'silence' }],
  ['incidents silences'],
  ['incidents unsilence', '$silence'],
  ['quarantine list'],
  ['quarantine list', '--source coingecko'],
  ['quarantine show', '$row'],
  ['quarantine retry', '$row'],
  ['quarantine drop', '--source coingecko --dry-run'],
  ['webhooks'],
  ['system'],
  ['system note-restore', '--backup 2026-11-20'],
  ['verify'],
  ['backfill', '--from 2024-01-01 --to 2026-01-01 --dry-run'],
  ['rebuild'],
  ['cold'],
  ['cold move'],
  ['cold restore'],
  ['prediction matches'],
  ['exchanges new-key'],
  ['exchanges rotate-keys'],
  ['accounts create', '--name json --plan free', { accountId: 'account' }],
  ['accounts set-plan', '--account $account --plan pro'],
  ['accounts degen', '$account on'],
  ['accounts top-up', '--account $account --credits 5'],
  ['accounts top-ups', '--account $account'],
  ['accounts list'],
  ['keys create', '--account $account --name json'],
  ['keys list', '--account $account'],
  ['identities link', 'ann --account $account'],
  ['identities operator', 'ann on'],
  ['identities list'],
  ['identities sign-out', 'ann'],
  ['identities unlink', 'ann'],
  ['users invite', 'bob --console'],
  ['users list'],
  ['users disable', 'bob'],
  ['users enable', 'bob'],
  ['users reset', 'bob'],
  ['users new-key'],
  ['users rotate-keys'],
  ['portfolios create', '--account $account --name json', { portfolioId: 'portfolio' }],
  ['portfolios list', '--account $account'],
  ['portfolios rename', '$portfolio --name other'],
  ['portfolios method', '$portfolio fifo'],
  ['portfolios transactions', '$portfolio'],
  ['portfolios treatments', '$portfolio'],
  ['shares create', '$portfolio', { shareId: 'share' }],
  ['shares list', '$portfolio'],
  ['shares rotate', '$share'],
  ['shares revoke', '$share'],
  ['alerts add', 'portfolio.value $portfolio --account $account --change 5', { id: 'alert' }],
  ['alerts list'],
  ['alerts remove', '$alert'],
  ['portfolios delete', '$portfolio'],
  ['payments list'],
  ['payments show', '$payment'],
  ['payments note-refund', '$payment --note back'],
  ['sessions revoke', `0x${'a'.repeat(40)}`],
  ['logs', '--limit 5'],
]

/** Actions with --json that need more than a database here, and the test that runs them. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'setup list': 'test/cli/setup.test.ts',
  'setup set': 'test/cli/setup.test.ts',
  'incidents test': 'test/incidents',
  plan: 'test/sources/plans.test.ts',
  'schedules list': 'test/prices/prices.workflow.test.ts',
  'schedules pause': 'test/console/controls.browser.test.ts',
  'schedules resume': 'test/console/controls.browser.test.ts',
  'schedules trigger': 'test/console/controls.browser.test.ts',
  'sources trigger': 'test/console/controls.browser.test.ts',
  'schedules backfill': 'test/cli/schedule-finding.test.ts',
  'workflows failed': 'test/console/repairs.browser.test.ts',
  'workflows list': 'test/console/repairs.browser.test.ts',
  'workflows show': 'test/console/repairs.browser.test.ts',
  'workflows run-again': 'test/console/repairs.browser.test.ts',
  workers: 'test/sources/worker-versions.workflow.test.ts',
  'workers use': 'test/sources/worker-versions.workflow.test.ts',
  'events tail': 'test/events',
  sync: 'test/console/repairs.browser.test.ts',
  export: 'test/export',
  'export verify': 'test/export',
  record: 'test/cli/operator-commands.db.test.ts',
  'import prices': 'test/prices',
  'exchanges import': 'test/exchanges',
  'exchanges read-again': 'test/exchanges',
  'news pick': 'test/news',
  'news unpick': 'test/news',
  'prediction confirm': 'test/prediction',
  'prediction reject': 'test/prediction',
  'prediction read-again': 'test/prediction',
  'keys revoke': 'test/console/accounts.browser.test.ts',
  'portfolios movements': 'test/cli/portfolio-commands.db.test.ts',
  'portfolios move': 'test/cli/portfolio-commands.db.test.ts',
  'portfolios split': 'test/cli/portfolio-commands.db.test.ts',
  'portfolios drop': 'test/cli/portfolio-commands.db.test.ts',
  'portfolios undo': 'test/cli/portfolio-commands.db.test.ts',
  'portfolios label': 'test/cli/portfolio-commands.db.test.ts',
  'portfolios treat': 'test/cli/portfolio-commands.db.test.ts',
  'report tax': 'test/portfolios',
  pay: 'test/cli/pay-command.db.test.ts',
}

/** Actions that print no data: programs that run on, scripts for a shell, questions to a person, files of the project. */
const WITHOUT = new Set([
  'up',
  'down',
  'stop',
  'uninstall',
  'start',
  'setup',
  'setup remove',
  'topology',
  'migrate',
  'database',
  'mcp',
  'completion',
  'webhooks receive',
  'export dictionary',
])

const all = COMMANDS.flatMap(({ spec }) =>
  spec && spec.group !== 'develop'
    ? Object.entries(spec.actions).map(([action, { options = {} }]) => ({
        name: `${spec.name} ${action}`.trim(),
        hasJson: 'json' in options,
      }))
    : [],
)

test('every action has --json, or prints no data; each is run here or elsewhere', () => {
  const withJson = all.filter(({ hasJson }) => hasJson).map(({ name }) => name)
  expect(new Set(all.filter(({ hasJson }) => !hasJson).map(({ name }) => name))).toEqual(WITHOUT)
  const run = new Set([...RUNS.map(([name]) => name), ...Object.keys(ELSEWHERE)])
  expect([...run].toSorted()).toEqual(withJson.toSorted())
  for (const path of Object.values(ELSEWHERE)) expect([path, existsSync(path)]).toEqual([path, true])
})

/** Fields that hold a sentence, for people. */
const SENTENCES =
  /^(detail|mend|summary|reason|failure|lastFailure|lastError|last_error|message|help|doubts|problems|obstacles|differences|notes?|methodReason|runbook|what|why|meaning)$/

/** Says where a value is not data. */
function proseIn(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((one, i) => proseIn(one, `${path}[${i}]`))
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, one]) => [
      ...(/^[a-zA-Z][a-zA-Z0-9_]*$/.test(key) ? [] : [`${path}: the name "${key}"`]),
      ...(SENTENCES.test(key) || path.endsWith('.payload') ? [] : proseIn(one, `${path}.${key}`)),
    ])
  if (typeof value !== 'string') return []
  const isQuantity = /^-?[\d.,]+ ?(ms|s|min|h|d|days?|hours?|%|kB|MB|rows?|of|ago|left)\b/.test(value)
  const isWord = /^(never|none|yes|no|–|-)$/.test(value)
  const isTime = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d/.test(value)
  const isIso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value)
  return isQuantity || isWord || (isTime && !isIso) ? [`${path}: "${value}"`] : []
}

/** A busy machine may not connect in time, and then nothing was done: it is tried again. */
async function answered(words: string, tries = 3): ReturnType<typeof sluice> {
  const printed = await sluice(...words.split(' ').filter(Boolean), '--json')
  const isBusy = printed.stderr.includes('timeout exceeded when trying to connect')
  return isBusy && tries > 1 ? await answered(words, tries - 1) : printed
}

test('what --json prints is data: stable names, numbers and ISO times, never prose', async () => {
  mkdirSync(join(folder, 'logs'), { recursive: true })
  writeFileSync(join(folder, 'logs', 'api.log'), '{"time":1790000000000,"level":30,"msg":"started"}\n')
  const found: string[] = []
  for (const [action, args = '', keep = {}] of RUNS) {
    const words = `${action} ${args}`.replaceAll(/\$(\w+)/g, (_, name: string) => made[name] ?? '?')
    const { stdout, stderr } = await answered(words)
    const lines = stdout.split('\n').filter(Boolean)
    if (lines.length !== 1) {
      found.push(`${words}: ${lines.length} lines: ${stdout.slice(0, 200)} ${stderr.slice(0, 300)}`)
      continue
    }
    const data = JSON.parse(lines[0]!) as Record<string, unknown>
    for (const [field, name] of Object.entries(keep)) made[name] = String(data[field])
    found.push(...proseIn(data, action))
  }
  expect(found).toEqual([])
})

test('a span that ends before it begins is named, with both ends and what to give', async () => {
  const { status, stderr } = await sluice('backfill', '--from', '2026-02-01', '--to', '2026-01-01')
  expect([status, stderr]).toEqual([
    2,
    'sluice: the span ends before it begins: --from is 2026-02-01T00:00:00.000Z, --to is 2026-01-01T00:00:00.000Z. Give an earlier --from or a later --to\n',
  ])
})

test('upgrade --check lists what an older database lacks, what takes something away, and what stands in the way', async () => {
  const check = async () => {
    const { status, stdout } = await sluice('upgrade', '--check', '--json')
    return { status, ...(JSON.parse(stdout) as Record<string, unknown>) }
  }
  expect(await check()).toMatchObject({ status: 0, migrations: [], replaced: [], unknown: [], obstacles: [] })
  expect((await sluice('upgrade', '--check')).stdout).toContain('has the schema of this release')
  await query(
    database.ownerUrl,
    `delete from kysely_migration where name = '20261128-1036-create-restore-checks';
     update applied_sql set hash = 'old' where key = 'functions/note_refund';
     insert into kysely_migration (name, timestamp) values ('20991231-0000-of-a-newer-release', now()::text)`,
  )
  expect(await check()).toMatchObject({
    status: 1,
    migrations: [{ name: '20261128-1036-create-restore-checks', drops: false }],
    replaced: ['functions/note_refund'],
    unknown: ['20991231-0000-of-a-newer-release'],
  })
  expect((await sluice('upgrade')).stderr).toContain('--check says what it would do')
})
