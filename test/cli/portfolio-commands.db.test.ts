import { userInfo } from 'node:os'
import { expect, test, vi } from 'vitest'
import { CommandError } from '../../cli/command.ts'
import { openDb } from '../../db/connect.ts'
import { createAccount } from '../../db/metering/write.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { runCommand } from './run-command.ts'

// Calls the commands without a process; other tests start processes.

const database = await testDatabase()
vi.stubEnv('DATABASE_URL', database.ownerUrl)
const rows = (sql: string, values: unknown[] = []) => query(database.ownerUrl, sql, values)

/** Runs a command and returns its output; throws the error that it would print. */
async function portfolios(...args: string[]): Promise<string> {
  const printed: unknown[] = []
  vi.spyOn(console, 'log').mockImplementation((line) => void printed.push(line))
  try {
    await runCommand('portfolios', ...args)
    return printed.join('\n')
  } finally {
    vi.restoreAllMocks()
  }
}

test('an operator creates a portfolio, renames it, sets its cost method, corrects it and deletes it', async () => {
  const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
  const { accountId } = await createAccount(owner.db, { name: 'acme', plan: 'free' })
  await owner.close()
  const create = (name: string) => portfolios('create', '--account', 'acme', '--name', name)
  const [id, other] = [await create('Mine'), await create('Other')]
  await portfolios('rename', id, '--name', 'Renamed')
  await portfolios('method', id, 'hifo')
  await portfolios('method', 'fifo', '--account', 'acme')
  expect(await portfolios('list', '--account', 'acme')).toMatch(/Renamed.*hifo/)
  expect(await rows('select cost_method from accounts')).toEqual([{ cost_method: 'fifo' }])

  await rows(
    `insert into manual_transactions (id, portfolio_id, at, coin_id, count, currency, source, fetched_at, derived)
     values ($1, $1, '2026-01-05', 'bitcoin', -3, 'USD', 'owner', now(), true)`,
    [id],
  )
  expect(await portfolios('transactions', id)).toContain('bitcoin')
  await portfolios('split', id, '--count=-1')
  await portfolios('move', id, '--date', '2026-01-02', '--to', other)
  const stated = 'select portfolio_id, at, count, derived from manual_transactions order by at'
  expect(await rows(stated)).toEqual([
    { portfolio_id: other, at: new Date('2026-01-02'), count: '-2', derived: false },
    { portfolio_id: id, at: new Date('2026-01-05'), count: '-1', derived: false },
  ])
  // The old day of a moved transaction is marked dirty at once.
  const marks = `select b.portfolio_id, s.dirty_from from pl_states s join books b on b.id = s.book_id`
  expect(await rows(marks)).toEqual([{ portfolio_id: id, dirty_from: new Date('2026-01-05') }])
  await portfolios('drop', id)
  expect(await rows(stated)).toHaveLength(1)

  await portfolios('delete', id)
  expect(await portfolios('list', '--account', 'acme')).not.toContain('Renamed')
  const ordered = await rows('select workflow_id, signal from outbox order by id')
  const [mine, its, all] = [`portfolio:${id}`, `portfolio:${other}`, `account:${accountId}`]
  const changed = [all, all, mine, its, mine, its].map((workflow_id) => ({ workflow_id, signal: 'changed' }))
  expect(ordered).toEqual([...changed, { workflow_id: `remove:${id}`, signal: null }])
})

test('an operator counts rewards of a portfolio as capital, sees who set that, and reverts it', async () => {
  const id = await portfolios('create', '--account', 'acme', '--name', 'Staker')
  await portfolios('treat', id, 'reward', 'income')
  await portfolios('treat', id, 'reward', 'flow')
  expect(JSON.parse(await portfolios('treatments', id, '--json'))).toEqual([
    { role: 'reward', treatment: 'flow', asked_by: userInfo().username, asked_at: expect.any(String) },
  ])
  await portfolios('treat', id, 'reward', 'auto')
  expect(JSON.parse(await portfolios('treatments', id, '--json'))).toEqual([])
})

test('errors are one line', async () => {
  const id = '01990000-0000-7000-8000-000000000001'
  const wallet = '01990000-0000-7000-8000-000000000002'
  await rows(
    `insert into portfolios (id, kind, address, network_id) select $1, 'wallet', '0x1', id from networks limit 1`,
    [wallet],
  )
  const failures = [
    [
      ['move', wallet, 'deposit:1', '--date', '2026-01-01'],
      'it cannot be moved or split; label its movements',
    ],
    [['split', wallet, 'deposit:1', '--count', '1'], 'it cannot be moved or split'],
    [['undo', id, 'deposit:1'], 'deposit:1: no such portfolio'],
    [['label', id, 'deposit:1', 'airdrop'], 'deposit:1: no such portfolio'],
    [['label', id, 'deposit:1', 'income'], 'the role must be one of transfer, trade'],
    [['move', id, 'deposit:1', '--part', 'x', '--date', '2026-01-01'], '--part must be a whole number'],
    [['transactions', wallet], 'no such portfolio, or this command does not apply to it'],
    [['rename', id, '--name', 'x'], `no such portfolio, or this command does not apply to it: ${id}`],
    [['move', id, '--date', '2026-01-01'], 'no such transaction'],
    [['move', id, '--date', '2999-01-01'], 'must not be in the future'],
    [['split', id, '--count', '1e3'], '--count must be a number, not "1e3"'],
    [['split', id], '--count is missing'],
    [['method', id, 'best'], '"best" is not one of average, fifo, lifo, hifo'],
    [['label', id, '0x1', 'income'], 'the role must be one of'],
    [['label', id, '0x1', 'airdrop'], 'no such portfolio'],
    [['treat', id, 'reward', 'flow'], 'no such portfolio'],
    [['treat', id, 'trade', 'flow'], '"trade" is not one of airdrop, reward, interest, rebase'],
    [['treat', id, 'reward', 'gift'], '"gift" is not one of income, flow, auto'],
    [['treatments', id], 'no such portfolio'],
    [['create', '--account', 'nobody', '--name', 'x'], 'no account nobody'],
    [['delete', 'x'], 'see "sluice portfolios list"'],
    [['move', id], 'give --date, --to or both'],
    [['destroy'], '"sluice portfolios" has no "destroy"'],
    [[], 'sluice portfolios list'],
  ] as const
  for (const [args, message] of failures) {
    const said: unknown = await portfolios(...args).catch((error: unknown) => error)
    expect([args, said]).toEqual([args, expect.any(CommandError)])
    expect((said as Error).message).toContain(message)
  }
})
