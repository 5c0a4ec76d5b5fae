import { beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'
import { query } from '../setup/query.ts'
import { startAccountWorld } from './account-world.ts'
import type { browse } from './browse.ts'

const database = await testDatabase()
const { api, openTo, signIn } = await startAccountWorld({ database, routes })
const [own, other] = [await api.newAccount({ plan: 'free' }), await api.newAccount()]
const HOME = '/account/alerts'
let browser: ReturnType<typeof browse>
const ask = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)

beforeAll(async () => {
  await insertCoin(api.owner, { id: 'bitcoin', priceUsd: '50000', at: new Date() })
  await openTo(own.accountId)
  browser = (await signIn()).browser
})

const rulesOf = (accountId: string) =>
  ask<{ kind: string; subject: string; rule: object }>(
    'select kind, subject, rule from alert_rules where account_id = $1 order by created_at, id',
    [accountId],
  )
const coin = { kind: 'coin', coinId: 'bitcoin', when: 'above', limit: '60000', hours: '24' }
/** Posts a form and returns the page that answers it, without following a redirect. */
const post = async (action: string, fields: Record<string, string>) =>
  browser.post(action, { ...fields, csrf: await browser.csrfOf(HOME) })

test('each form becomes the rule of its API fields', async () => {
  const { text } = await browser.submit(HOME, HOME, {
    ...coin,
    when: 'changePercent',
    limit: '5',
    hours: '2',
  })
  expect(text).toContain('The alert is added.')
  expect(text).toContain('the price moves by 5 % in 2 hours')
  await browser.submit(HOME, HOME, { ...coin, when: 'below' })
  const [endpoint] = await ask<{ id: string }>(
    `insert into webhook_endpoints (id, account_id, url, types, key_id, wrapped_key, ciphertext)
     values (uuidv7(), $1, 'https://example.com', '{coin.price}', '', '', '') returning id`,
    [own.accountId],
  )
  await browser.submit(HOME, HOME, { ...coin, endpointId: endpoint!.id })
  const [named] = await ask<{ n: number }>(
    'select count(*)::integer as n from alert_rules where endpoint_id = $1',
    [endpoint!.id],
  )
  expect(named!.n).toBe(1)
  expect(await rulesOf(own.accountId)).toEqual([
    { kind: 'coin.price', subject: 'bitcoin', rule: { changePercent: 5, windowSeconds: 7_200 } },
    { kind: 'coin.price', subject: 'bitcoin', rule: { below: 60_000 } },
    { kind: 'coin.price', subject: 'bitcoin', rule: { above: 60_000 } },
  ])
})

describe('a form is refused', () => {
  test.each([
    ['of an unknown kind', { kind: 'nft' }, 400],
    ['with a condition that no rule has', { ...coin, when: '__proto__' }, 400],
    ['with a limit that is no number', { ...coin, limit: 'a lot' }, 400],
    ['of a coin that does not exist', { ...coin, coinId: 'nothing' }, 404],
    ['of a market that does not exist', { kind: 'market', marketId: '1', when: 'resolved' }, 404],
    ['with an endpoint of nobody', { ...coin, endpointId: 'x' }, 400],
    ['of a portfolio of nobody', { kind: 'portfolio', portfolioId: 'x', limit: '5', minutes: '60' }, 404],
    ['with too many events', { kind: 'portfolio', portfolioId: 'x', limit: '5', minutes: '0' }, 400],
  ])('%s', async (_name, fields, status) => {
    const before = await rulesOf(own.accountId)
    expect((await post(HOME, fields)).status).toBe(status)
    expect(await rulesOf(own.accountId)).toEqual(before)
  })

  test.each([
    [{ ...coin, limit: '0' }, 'Number: It must be a number from 1e-18 to 1000000000000000000.'],
    [
      { ...coin, when: 'changePercent', hours: '1.5' },
      'Hours in which it moves by percent: It must be a whole number',
    ],
    [{ ...coin, coinId: '' }, 'Coin id, such as bitcoin: It must have'],
    [{ ...coin, endpointId: 'x' }, 'Webhook: Choose one of the list.'],
    [
      { kind: 'market', marketId: '1', when: 'above', limit: '1' },
      'Probability: It must be a number from 0.01 to 0.99.',
    ],
    [
      { kind: 'portfolio', portfolioId: 'x', limit: '5', minutes: '0' },
      'Minutes between two events at least: It must be',
    ],
  ])('with the label that the person sees, %#', async (fields, said) => {
    const { text } = await post(HOME, fields)
    expect(text).toContain(said)
    expect(text).not.toMatch(/Invalid parameter|changePercent|windowSeconds|everySeconds|endpointId/)
  })

  test('without the token of this session', async () => {
    for (const csrf of [{}, { csrf: 'x' }]) {
      expect((await browser.post(HOME, { ...coin, ...csrf })).status).toBe(403)
    }
  })

  test('with more alerts than the plan has', async () => {
    await ask(
      `insert into alert_rules (id, account_id, kind, subject, rule)
       select uuidv7(), $1, 'coin.price', 'bitcoin', '{"above": 1}' from generate_series(1, 20)`,
      [own.accountId],
    )
    const { status, text } = await post(HOME, coin)
    expect([status, text]).toEqual([400, expect.stringContaining('Your plan allows 20 alerts')])
  })
})

test('an alert is removed once, and one of another account is as unknown as any', async () => {
  const [mine] = await ask<{ id: string }>('select id from alert_rules where account_id = $1', [
    own.accountId,
  ])
  const [foreign] = await ask<{ id: string }>(
    `insert into alert_rules (id, account_id, kind, subject, rule)
     values (uuidv7(), $1, 'coin.price', 'bitcoin', '{"above": 1}') returning id`,
    [other.accountId],
  )
  for (const id of [foreign!.id, '00000000-0000-7000-8000-000000000000', 'x'])
    expect((await post(`${HOME}/${id}/remove`, {})).status).toBe(404)
  const page = await browser.submit(HOME, `${HOME}/${mine!.id}/remove`, {})
  expect(page.text).toContain('The alert is removed.')
  expect(page.text).not.toContain(mine!.id)
  expect((await post(`${HOME}/${mine!.id}/remove`, {})).status).toBe(404)
  expect(await rulesOf(other.accountId)).toHaveLength(1)
})

test('without credits nothing is added or removed', async () => {
  const [rule] = await ask<{ id: string }>('select id from alert_rules where account_id = $1', [
    own.accountId,
  ])
  const poor = await api.newAccount({ credits: 5 })
  await ask('update alert_rules set account_id = $1 where id = $2', [poor.accountId, rule!.id])
  await openTo(poor.accountId)
  browser = (await signIn()).browser
  const { text } = await browser.get(HOME)
  expect(text).toContain(`${HOME}/${rule!.id}/remove`)
  expect((await post(HOME, coin)).status).toBe(429)
  expect((await post(`${HOME}/${rule!.id}/remove`, {})).status).toBe(429)
  expect(await rulesOf(poor.accountId)).toHaveLength(1)
})
