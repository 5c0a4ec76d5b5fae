import { describe, expect, test } from 'vitest'
import { getPortfolioStatus } from '../../api/portfolios/get-status.ts'
import { postPortfolioWallet } from '../../api/portfolios/post-wallet.ts'
import { endpoint, refusal } from '../setup/endpoint.ts'
import { query } from '../setup/query.ts'
import { address, insertWallet, outboxOf } from '../setup/wallet-factories.ts'
import { NOW, WALLET, startWritesWorld } from './writes-world.ts'

// Writes of clients to portfolios, with every kind of bad input. No worker runs here.

const { database, api, call, json, list, manual, newest } = await startWritesWorld()

describe('POST /portfolio/wallet', () => {
  test('connects once; a repeat returns the same portfolio and applies a new name', async () => {
    const { key, accountId } = await api.newAccount()
    const post = endpoint(api, { route: postPortfolioWallet, key })
    const init = (body: unknown) => ({
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
    const before = (await outboxOf(api.owner)).length
    const first = await post('/portfolio/wallet', init({ address: WALLET, connectionId: 'ethereum' }))
    expect(first.credits).toBe(40)
    expect(first.body).toMatchObject({ connectionId: 'ethereum', status: 'connected' })
    const { portfolioId } = first.body
    expect((await outboxOf(api.owner)).slice(before)).toEqual([
      {
        workflow: 'syncWallet',
        workflow_id: `sync:${WALLET}:ethereum`,
        input: { address: WALLET, networkId: 'ethereum' },
      },
      { workflow: 'refreshAccount', workflow_id: `account:${accountId}`, input: { accountId } },
    ])
    expect(await list(key)).toEqual([
      { portfolioId, portfolioName: `Ethereum ${WALLET}`, portfolioType: 'wallet' },
    ])
    const again = {
      address: WALLET.toUpperCase().replace('0X', '0x'),
      connectionId: 'ERC20',
      name: 'Cold',
    }
    expect((await post('/portfolio/wallet', init(again))).body).toEqual({
      portfolioId,
      connectionId: 'ethereum',
      status: 'existing',
    })
    expect(await list(key)).toMatchObject([{ portfolioId, portfolioName: 'Cold' }])
    const other = await post('/portfolio/wallet', init({ address: WALLET, connectionId: 'base-wallet' }))
    expect(other.body.status).toBe('connected')
    expect(await list(key)).toHaveLength(2)
  })

  test('does not sync a wallet again that was just synced, and says synced once all figures are computed', async () => {
    const { key, accountId } = await api.newAccount()
    await insertWallet(api.owner, {
      address: address(7),
      syncs: { ethereum: new Date(NOW.getTime() - 5_000) },
    })
    const before = (await outboxOf(api.owner)).length
    const body = { address: address(7), connectionId: 'ethereum' }
    const { portfolioId } = await json(await call('POST', '/portfolio/wallet', key, { body }))
    expect((await outboxOf(api.owner)).slice(before).map(({ workflow }) => workflow)).toEqual([
      'refreshAccount',
    ])
    const read = endpoint(api, { route: getPortfolioStatus, key })
    const status = await read(`/portfolio/status?portfolioId=${portfolioId}`)
    // The figures of the account and the positions of the wallet are still missing.
    expect([status.body, status.credits]).toEqual([{ status: 'syncing' }, 3])
    await query(database.ownerUrl, 'update scopes set dirty_from = null where account_id = $1', [accountId])
    expect((await read(`/portfolio/status?portfolioId=${portfolioId}`)).body).toEqual({ status: 'syncing' })
    await query(
      database.ownerUrl,
      `insert into defi_reads (wallet_id, network_id, source, failed_at, failure)
       select id, 'ethereum', 'test', now(), 'down' from wallets where address = $1`,
      [address(7)],
    )
    expect((await read(`/portfolio/status?portfolioId=${portfolioId}`)).body).toEqual({ status: 'synced' })
    expect(status.headers.get('x-data-as-of')).not.toBeNull()
  })

  test('20 parallel requests create one portfolio, and one of them connects it', async () => {
    const { key } = await api.newAccount()
    const body = { address: address(8), connectionId: 'ethereum' }
    const bodies = await Promise.all(
      Array.from({ length: 20 }, async () => json(await call('POST', '/portfolio/wallet', key, { body }))),
    )
    expect(new Set(bodies.map(({ portfolioId }) => portfolioId)).size).toBe(1)
    expect(bodies.filter(({ status }) => status === 'connected')).toHaveLength(1)
    expect(await list(key)).toHaveLength(1)
  })

  const wallet = { address: WALLET, connectionId: 'ethereum' }
  test.each<[string, unknown, number, string]>([
    ['no body', '', 400, 'Invalid parameter: body'],
    ['no address', { connectionId: 'ethereum' }, 400, 'Invalid parameter: address'],
    ['no network', { address: WALLET }, 400, 'Invalid parameter: connectionId'],
    ['all networks', { ...wallet, connectionId: 'all' }, 400, 'Invalid parameter: connectionId'],
    ['two networks', { ...wallet, connectionId: 'ethereum,bitcoin' }, 400, 'Invalid parameter: connectionId'],
    [
      'a property name of objects',
      { ...wallet, connectionId: 'constructor' },
      400,
      'Invalid parameter: connectionId',
    ],
    ['another kind of chain', { ...wallet, connectionId: 'bitcoin' }, 400, 'Invalid parameter: address'],
    ['a wrong checksum', { ...wallet, address: `0x${'aB'.repeat(20)}` }, 400, 'Invalid parameter: address'],
    ['a name as address', { ...wallet, address: 'vitalik.eth' }, 400, 'Invalid parameter: address'],
    ['a number as address', { ...wallet, address: 1 }, 400, 'Invalid parameter: address'],
    [
      'a network that is off',
      { ...wallet, connectionId: 'plasma-wallet' },
      400,
      'Network not available: plasma-wallet',
    ],
    ['an empty name', { ...wallet, name: '' }, 400, 'Invalid parameter: name'],
    ['a name with a right-to-left override', { ...wallet, name: 'a\u202eb' }, 400, 'Invalid parameter: name'],
    ['an unknown field', { ...wallet, blockchain: 'ethereum' }, 400, 'Invalid parameter: body'],
  ])('refuses a body with: %s', async (_name, body, status, message) => {
    const { key, accountId } = await api.newAccount()
    const before = (await outboxOf(api.owner)).length
    const response = await call('POST', '/portfolio/wallet', key, { body })
    expect(response.headers.get('x-credits-cost')).toBe('0')
    expect(await refusal(response)).toEqual([status, message])
    expect((await outboxOf(api.owner)).length).toBe(before)
    const rows = await query(database.ownerUrl, 'select id from portfolios where account_id = $1', [
      accountId,
    ])
    expect(rows).toEqual([])
  })

  test('stores nothing without credits', async () => {
    const { key, accountId } = await api.newAccount({ credits: 39 })
    expect((await call('POST', '/portfolio/wallet', key, { body: wallet })).status).toBe(429)
    const again = { body: wallet, headers: { 'idempotency-key': 'poor' } }
    expect((await call('POST', '/portfolio/wallet', key, again)).status).toBe(429)
    expect(
      await query(database.ownerUrl, 'select id from portfolios where account_id = $1', [accountId]),
    ).toEqual([])
  })
})

describe('DELETE /portfolio/{portfolioId}', () => {
  test('removes at once; a repeat returns 404, and under the same key the first answer', async () => {
    const { key, accountId } = await api.newAccount()
    const portfolioId = await manual(accountId)
    await query(
      database.ownerUrl,
      `insert into portfolio_shares (portfolio_id, token_hash) values ($1, sha256('x'))`,
      [portfolioId],
    )
    const gone = (headers?: Record<string, string>) =>
      call('DELETE', `/portfolio/${portfolioId}`, key, headers && { headers })
    const once = { 'idempotency-key': 'go' }
    const answers = await Promise.all(Array.from({ length: 20 }, () => gone(once)))
    expect(await Promise.all(answers.map(json))).toEqual(answers.map(() => ({ success: true })))
    expect(answers.filter(({ headers }) => headers.get('x-credits-cost') === '10')).toHaveLength(1)
    expect(await refusal(await gone())).toEqual([404, `Portfolio with id '${portfolioId}' not found`])
    const replay = await gone(once)
    expect([await json(replay), replay.headers.get('idempotency-replayed')]).toEqual([
      { success: true },
      'true',
    ])
    expect(await newest()).toEqual({
      workflow: 'removePortfolio',
      workflow_id: `remove:${portfolioId}`,
      input: { portfolioId, accountId },
    })
    expect(await list(key)).toEqual([])
    expect((await call('GET', `/portfolio/status?portfolioId=${portfolioId}`, key)).status).toBe(404)
    expect(
      await query(database.ownerUrl, 'select id from portfolio_shares where portfolio_id = $1', [
        portfolioId,
      ]),
    ).toEqual([])
    const ledger = await query(
      database.ownerUrl,
      `select credits from ledger_entries where account_id = $1 and endpoint like 'DELETE%'`,
      [accountId],
    )
    expect(ledger).toEqual([{ credits: '10' }])
  })

  test('charges one of 20 parallel requests without a key', async () => {
    const { key, accountId } = await api.newAccount()
    const portfolioId = await manual(accountId)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call('DELETE', `/portfolio/${portfolioId}`, key)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(19)
  })

  test('S1 another account gets the same 404 as for an unknown portfolio', async () => {
    const { key, accountId } = await api.newAccount()
    const stranger = await api.newAccount()
    const portfolioId = await manual(accountId)
    for (const [method, path] of [
      ['DELETE', `/portfolio/${portfolioId}`],
      ['GET', `/portfolio/status?portfolioId=${portfolioId}`],
      ['PATCH', `/portfolio/sync?portfolioId=${portfolioId}`],
    ] as const)
      expect(await refusal(await call(method, path, stranger.key))).toEqual([
        404,
        `Portfolio with id '${portfolioId}' not found`,
      ])
    expect(await list(stranger.key)).toEqual([])
    expect(await list(key)).toHaveLength(1)
  })

  test.each(['%20', '__proto__', 'a;b', 'x'.repeat(150), '..%2F..', '%E2%80%8B'])(
    'returns 404 for the id %s',
    async (id) => {
      const { key } = await api.newAccount()
      expect(await refusal(await call('DELETE', `/portfolio/${id}`, key))).toEqual([
        404,
        'Invalid parameter: portfolioId',
      ])
    },
  )
})

describe('PATCH /portfolio/sync', () => {
  test('syncs one portfolio or all; a manual portfolio needs no sync', async () => {
    const { key, accountId } = await api.newAccount()
    const byHand = await manual(accountId)
    const ids: string[] = []
    for (const connectionId of ['ethereum', 'base-wallet'])
      ids.push(
        (
          await json(
            await call('POST', '/portfolio/wallet', key, { body: { address: address(20), connectionId } }),
          )
        ).portfolioId,
      )
    const sync = async (search: string) => {
      const before = (await outboxOf(api.owner)).length
      const response = await call('PATCH', `/portfolio/sync${search}`, key)
      const workflows = (await outboxOf(api.owner)).slice(before).map(({ workflow_id }) => workflow_id)
      return [await json(response), Number(response.headers.get('x-credits-cost')), workflows]
    }
    const [ethereum, base] = ['ethereum', 'base-wallet'].map((id) => `sync:${address(20)}:${id}`)
    expect(await sync(`?portfolioId=${ids[1]}`)).toEqual([{ status: 'syncing' }, 30, [base]])
    // The figures of the account lack the new wallets.
    expect(await sync(`?portfolioId=${byHand}`)).toEqual([{ status: 'syncing' }, 30, []])
    await query(database.ownerUrl, 'update scopes set dirty_from = null where account_id = $1', [accountId])
    expect(await sync(`?portfolioId=${byHand}`)).toEqual([{ status: 'synced' }, 30, []])
    expect(await sync('')).toEqual([{ status: 'syncing' }, 300, [ethereum, base]])
    const nobody = await api.newAccount()
    const none = await call('PATCH', '/portfolio/sync', nobody.key)
    expect(await json(none)).toEqual({ status: 'synced' })
  })
})

describe('Idempotency-Key', () => {
  test.each([
    ['/portfolio/wallet', (_id: string) => ({ address: WALLET, connectionId: 'ethereum' }), 40],
    ['/portfolio/transaction', (portfolioId: string) => ({ portfolioId, coinId: 'bitcoin', count: 1 }), 4],
  ] as const)(
    'POST %s 20 times in parallel has one effect, one charge and equal answers',
    async (path, bodyOf, cost) => {
      const { key, accountId } = await api.newAccount()
      const portfolioId = await manual(accountId)
      const before = (await outboxOf(api.owner)).length
      const repeat = { body: bodyOf(portfolioId), headers: { 'idempotency-key': 'one' } }
      const answers = await Promise.all(Array.from({ length: 20 }, () => call('POST', path, key, repeat)))
      expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1)
      const [counts] = await query(
        database.ownerUrl,
        `select (select count(*)::int from portfolios where account_id = $1) as portfolios,
         (select count(*)::int from manual_transactions where portfolio_id = $2) as transactions,
         (select sum(credits)::int from ledger_entries where account_id = $1) as credits`,
        [accountId, portfolioId],
      )
      const isWallet = path === '/portfolio/wallet'
      expect(counts).toEqual({ portfolios: isWallet ? 2 : 1, transactions: isWallet ? 0 : 1, credits: cost })
      expect((await outboxOf(api.owner)).length - before).toBe(isWallet ? 2 : 1)
      const other = await call('POST', path, key, {
        ...repeat,
        body: { ...repeat.body, coinId: 'x', address: 'y' },
      })
      expect(other.status).toBe(400)
    },
  )
})
