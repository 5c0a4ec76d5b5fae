import { beforeAll, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'
import { query } from '../setup/query.ts'
import { startAccountWorld } from './account-world.ts'
import type { browse } from './browse.ts'

const database = await testDatabase()
const { api, url, openTo, signIn } = await startAccountWorld({ database, routes })
const [own, other] = [await api.newAccount({ plan: 'pro' }), await api.newAccount()]
let browser: ReturnType<typeof browse>
const ask = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)

beforeAll(async () => {
  for (const [id, symbol, rank] of [
    ['bitcoin', 'btc', 1],
    ['ethereum', 'eth', 2],
    ['bitcoin-copy', 'btc', 900],
  ] as const)
    await insertCoin(api.owner, { id, symbol, rank, priceUsd: '50000', at: new Date(Date.now() - 60_000) })
  await openTo(own.accountId)
  browser = (await signIn()).browser
})

const HOME = '/account/portfolios'
const FORM = '/account/transaction'
const stored = () =>
  ask<Record<string, string | null>>(
    `select coin_id, count::text, price::text, currency, note, at::text from manual_transactions
     join portfolios on portfolios.id = portfolio_id where account_id = $1 order by at`,
    [own.accountId],
  )
const spent = async () =>
  Number(
    (
      await ask<{ n: string }>(
        'select coalesce(sum(posted), 0) as n from credit_periods where account_id = $1',
        [own.accountId],
      )
    )[0]!.n,
  )
const commands = async () =>
  (await ask<{ workflow: string }>('select workflow from outbox order by id')).map(({ workflow }) => workflow)

const BUY = {
  side: 'buy',
  coin: 'btc',
  count: '0.123456789012345678',
  at: '2026-01-02T10:00',
  price: '40000.5',
  currency: 'USD',
  note: 'Savings',
}

async function onlyPortfolio() {
  return (
    await ask<{ id: string; name: string; cost_method: string }>(
      'select id, name, cost_method from portfolios where account_id = $1',
      [own.accountId],
    )
  )[0]!
}

test('an owner makes a portfolio for nothing and adds, corrects and deletes a transaction', async () => {
  const none = await browser.follow(await browser.get(FORM), url)
  expect(none.text).toContain('Make a portfolio first.')
  await browser.submit(HOME, HOME, { name: 'Paper wallet' })
  expect(await spent()).toBe(0)
  const { id: portfolio } = await onlyPortfolio()

  const added = await browser.submit(FORM, FORM, { ...BUY, portfolio })
  expect(added.text).toContain('The transaction is added.')
  expect(await stored()).toEqual([
    {
      coin_id: 'bitcoin',
      count: '0.123456789012345678',
      price: '40000.5',
      currency: 'USD',
      note: 'Savings',
      at: '2026-01-02 10:00:00+00',
    },
  ])
  expect(await spent()).toBe(4)
  const [link] = /\/account\/transaction\/[0-9a-f-]{36}/.exec(added.text)!

  const form = (await browser.get(link)).text
  expect(form).toContain('value="0.123456789012345678"')
  await browser.submit(link, link, {
    ...BUY,
    side: 'sell',
    coin: 'ethereum',
    count: '2',
    price: '',
    note: '',
  })
  expect(await stored()).toMatchObject([{ coin_id: 'ethereum', count: '-2', price: null, note: null }])
  await browser.submit(link, `${link}/delete`, {})
  expect(await stored()).toEqual([])
  expect(await spent()).toBe(12)
  expect(await commands()).toEqual([
    'refreshAccount',
    ...Array.from({ length: 3 }, () => 'recomputePortfolio'),
  ])
})

test.each([
  ['coin', 'Coin', { coin: 'no-such-coin' }, "No coin has the id or symbol 'no-such-coin'"],
  ['count', 'Amount', { count: '1e5' }, 'It must be a number such as 0.5'],
  ['count', 'Amount', { count: '0' }, 'It must not be 0'],
  ['price', 'Price of one', { price: '-1' }, 'It must be a number such as 0.5'],
  ['at', 'Time', { at: '2026-02-30T10:00' }, 'It must be a day and a time'],
  ['at', 'Time', { at: '2999-01-01T00:00' }, 'It must not be in the future'],
  ['at', 'Time', { at: '1999-01-01T00:00' }, 'It must be in 2009 or later'],
  ['currency', 'Currency of the price', { currency: 'XXX' }, 'Choose a currency of the list'],
  ['note', 'Note', { note: 'n'.repeat(1_001) }, 'It must be at most 1000 characters'],
] as const)(
  'a refused %s is named as its field is, keeps what was typed and costs nothing: %3$s',
  async (name, shown, change, reason) => {
    const before = await spent()
    const { id: portfolio } = await onlyPortfolio()
    const csrf = await browser.csrfOf(FORM)
    const { status, text } = await browser.post(FORM, { ...BUY, ...change, portfolio, csrf })
    expect(status).toBe(400)
    const why = reason.replaceAll("'", '&#39;')
    expect(text).toContain(`<a href="#${name}">${shown}</a>: ${why}`)
    const field = new RegExp(`<(?:input|select)[^>]* name="${name}"[^>]*>`).exec(text)![0]
    expect(field).toMatch(/aria-invalid="true"/)
    expect(field).toContain(`aria-describedby="${name}-problem"`)
    expect(text).toContain(`id="${name}-problem">${why}`)
    expect(text.match(/aria-invalid/g)).toHaveLength(1)
    expect(text).not.toContain('Invalid parameter')
    expect(text).toContain(name === 'note' ? 'value="40000.5"' : 'value="Savings"')
    expect([await spent(), await stored()]).toEqual([before, []])
  },
)

test('a transaction of a currency, which programs may state, is corrected by its owner', async () => {
  const { id: portfolio } = await onlyPortfolio()
  const [row] = await ask<{ id: string }>(
    `insert into manual_transactions (id, portfolio_id, at, coin_id, count, currency, source, fetched_at)
     values (uuidv7(), $1, '2026-01-01', 'FiatCoinUSD', 1, 'USD', 'test', now()) returning id`,
    [portfolio],
  )
  const link = `${FORM}/${row!.id}`
  const text = (await browser.get(link)).text
  expect(text).toContain('value="FiatCoinUSD"')
  await browser.submit(link, link, { ...BUY, coin: 'FiatCoinUSD', count: '2', price: '' })
  expect(await stored()).toMatchObject([{ coin_id: 'FiatCoinUSD', count: '2' }])
  await browser.submit(link, `${link}/delete`, {})
})

test('the owner names a portfolio, chooses its cost method and removes it after a tick', async () => {
  const { id } = await onlyPortfolio()
  const page = `${HOME}/${id}`
  await browser.submit(page, page, { name: 'Vault', method: 'lifo' })
  expect(await onlyPortfolio()).toEqual({ id, name: 'Vault', cost_method: 'lifo' })
  const unsure = await browser.post(`${page}/remove`, { csrf: await browser.csrfOf(page) })
  expect([unsure.status, (await onlyPortfolio()).id]).toEqual([400, id])
  await browser.submit(page, `${page}/remove`, { sure: 'on' })
  expect(await onlyPortfolio()).toBeUndefined()
})

test('the pages say which exchange account is not read and why, until a sync succeeds', async () => {
  const [connection] = await ask<{ id: string }>(
    `insert into exchange_connections (id, account_id, venue, name, fingerprint, version, active_version)
     values (uuidv7(), $1, 'kraken', 'Trading', sha256('x'), 1, 1) returning id`,
    [own.accountId],
  )
  await ask(`insert into portfolios (id, account_id, kind, name) values ($1, $2, 'exchange', 'Trading')`, [
    connection!.id,
    own.accountId,
  ])
  const change = (text: string) =>
    ask(`update exchange_connections set ${text} where id = $1`, [connection!.id])
  const shown = async () => [
    (await browser.get('/account')).text,
    (await browser.get('/account/connections')).text,
  ]
  await change(`failed_at = now(), failure = 'the exchange is under maintenance'`)
  for (const text of await shown()) expect(text).toContain('the exchange is under maintenance')
  expect((await browser.get('/account')).text).toContain('Connect the exchange account again')
  await change(`refused_version = 1, refusal = 'the key was deleted at the exchange'`)
  for (const text of await shown()) expect(text).toContain('the key was deleted at the exchange')
  await change(`refused_version = null, refusal = null, synced_at = now()`)
  for (const text of await shown()) expect(text).not.toContain('maintenance')
  await ask('delete from portfolios where id = $1', [connection!.id])
  await ask('delete from exchange_connections where id = $1', [connection!.id])
})

test('the pages say which wallet is not read and why, until a sync succeeds or a follower has it', async () => {
  const address = '0x52908400098527886e0f7030069857d2e4169ee7'
  const [row] = await ask<{ id: string; wallet: string }>(
    `with wallet as (insert into wallets (address) values ($2) returning id)
     insert into portfolios (id, account_id, kind, name, address, network_id)
     select uuidv7(), $1, 'wallet', 'Cold', $2, 'ethereum' from wallet
     returning id, (select id from wallet) as wallet`,
    [own.accountId, address],
  )
  const shown = async () => [
    (await browser.get('/account')).text,
    (await browser.get('/account/connections')).text,
  ]
  const sync = (text: string) => ask(`update wallet_syncs set ${text} where wallet_id = $1`, [row!.wallet])
  await ask(
    `insert into wallet_syncs (wallet_id, network_id, failed_at, failure)
     values ($1, 'ethereum', now(), 'etherscan: status 503')`,
    [row!.wallet],
  )
  for (const text of await shown()) expect(text).toContain('etherscan: status 503')
  // Exchange accounts are connected again, wallets are read again without their owner.
  expect((await browser.get('/account')).text).not.toContain('Connect the exchange account again')
  await sync(`synced_at = now() - interval '1 hour'`)
  for (const text of await shown()) expect(text).toContain('etherscan: status 503')
  await sync(`synced_at = now() + interval '1 second'`)
  for (const text of await shown()) expect(text).not.toContain('etherscan: status 503')
  await ask('delete from portfolios where id = $1', [row!.id])
})

test('nobody sees or changes what belongs to another account', async () => {
  const [foreign] = await ask<{ id: string }>(
    `insert into portfolios (id, account_id, kind, name) values (uuidv7(), $1, 'manual', 'Theirs') returning id`,
    [other.accountId],
  )
  const [row] = await ask<{ id: string }>(
    `insert into manual_transactions (id, portfolio_id, at, coin_id, count, currency, source, fetched_at)
     values (uuidv7(), $1, '2026-01-01', 'bitcoin', 1, 'USD', 'test', now()) returning id`,
    [foreign!.id],
  )
  const csrf = await browser.csrfOf(HOME)
  expect((await browser.get(`${HOME}/${foreign!.id}`)).status).toBe(404)
  expect((await browser.post(`${HOME}/${foreign!.id}/remove`, { csrf, sure: 'on' })).status).toBe(404)
  expect((await browser.get(`${FORM}/${row!.id}`)).status).toBe(404)
  expect((await browser.post(`${FORM}/${row!.id}/delete`, { csrf })).status).toBe(404)
  await browser.submit(HOME, HOME, { name: 'Mine' })
  const added = await browser.post(FORM, { ...BUY, portfolio: foreign!.id, csrf })
  expect(added.status).toBe(404)
  expect(await ask('select from manual_transactions where portfolio_id = $1', [foreign!.id])).toHaveLength(1)
})
