import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { runCommand } from '../cli/run-command.ts'
import { testDatabase } from '../setup/database.ts'
import { startAlertsWorld } from './alerts-world.ts'

const database = await testDatabase()
const world = await startAlertsWorld(database)
const { api, call, newCoin, quote, told } = world
beforeAll(() => vi.stubEnv('DATABASE_URL', database.ownerUrl))
afterEach(() => vi.restoreAllMocks())
afterAll(async () => {
  vi.unstubAllEnvs()
  await world.close()
})

async function alerts(...args: string[]): Promise<string> {
  const printed: string[] = []
  vi.spyOn(console, 'log').mockImplementation((line) => void printed.push(line as string))
  await runCommand('alerts', ...args)
  vi.restoreAllMocks()
  return printed.join('\n')
}

test('an operator adds, lists and removes alerts of an account, which fire as its own do and cost nothing', async () => {
  const [{ accountId, key }, other] = [await api.newAccount(), await api.newAccount()]
  await world.ask(`update accounts set name = 'own' where id = $1`, [accountId])
  await world.ask(`update accounts set name = 'other' where id = $1`, [other.accountId])
  const coinId = await newCoin('100')
  const added = await alerts('add', 'coin.price', coinId, '--account', accountId, '--above', '120.5')
  const [own] = (await call(key, 'GET', '/alerts')).body.result
  expect(own).toMatchObject({ id: added, type: 'coin.price', coinId, above: 120.5, armed: true })
  const moves = ['--change', '5', '--window', '3600', '--json']
  const { id } = JSON.parse(
    await alerts('add', 'coin.price', coinId, '--account', other.accountId, ...moves),
  ) as { id: string }
  const listed = async (...args: string[]) =>
    (
      JSON.parse(await alerts('list', '--json', ...args)) as { account: string; id: string; rule: object }[]
    ).map((one) => [one.account, one.id, one.rule])
  expect(await listed('--account', accountId)).toEqual([['own', added, { above: 120.5 }]])
  expect(await listed()).toEqual(
    expect.arrayContaining([
      ['own', added, { above: 120.5 }],
      ['other', id, { changePercent: 5, windowSeconds: 3600 }],
    ]),
  )
  await quote({ [coinId]: 121 })
  expect((await told(accountId)).map(({ type }) => type)).toEqual(['coin.price'])
  expect(await world.paid(accountId, 'POST /alerts')).toBe(0)
  await alerts('remove', added)
  expect(await listed('--account', accountId)).toEqual([])
  await expect(alerts('remove', added)).rejects.toThrow(`no such alert: ${added}`)
  await expect(alerts('remove', 'x')).rejects.toThrow('"x" is not an id')
})

test.each([
  ['a coin that does not exist', ['nothing', '--above', '1'], "Coin with id 'nothing' not found"],
  ['no limit', ['coin-1'], 'One of `above`, `below` and `changePercent` is required'],
  ['a limit that is no number', ['coin-1', '--above', '1x'], 'Invalid parameter: above. It must be a number'],
  ['an option of other types', ['coin-1', '--above', '1', '--every', '60'], 'everySeconds'],
  ['an endpoint that the account lacks', ['coin-1', '--above', '1', '--endpoint', 'x'], 'endpointId'],
])('"alerts add" refuses %s with the reason of the API', async (_name, args, reason) => {
  const { accountId } = await api.newAccount()
  await newCoin('1')
  await expect(alerts('add', 'coin.price', ...args, '--account', accountId)).rejects.toThrow(reason)
})

test('"alerts add" keeps the limit of the plan', async () => {
  const { accountId } = await api.newAccount({ plan: 'free' })
  const coinId = await newCoin('1')
  await world.ask(
    `insert into alert_rules (id, account_id, kind, subject, rule)
     select uuidv7(), $1, 'coin.price', $2, '{"above": 1}' from generate_series(1, 20)`,
    [accountId, coinId],
  )
  await expect(alerts('add', 'coin.price', coinId, '--account', accountId, '--above', '2')).rejects.toThrow(
    'Your plan allows 20 alerts',
  )
})
