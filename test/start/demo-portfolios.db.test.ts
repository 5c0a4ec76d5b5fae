import { beforeAll, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { demoApi, type Send } from '../../cli/first-run/demo-api.ts'
import { demoPortfolios } from '../../cli/first-run/demo-portfolios.ts'
import { bitcoinWallets } from '../../sandbox/bitcoin/actors.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'
import { activateNetworks } from '../setup/wallet-factories.ts'

// No worker runs here, so the portfolios are created but not computed.

const database = await testDatabase()
const api = await startApi({ database, routes })
const wallet = { address: bitcoinWallets[0]!.name, connectionId: 'bitcoin' }

beforeAll(async () => {
  await activateNetworks(api.owner, ['bitcoin'])
  for (const [i, id] of ['bitcoin', 'ethereum'].entries())
    await insertCoin(api.owner, { id, symbol: id.slice(0, 3), rank: i + 1, priceUsd: '1000', at: new Date() })
})

/** Simulates a start that is killed before it adds its n-th transaction. */
async function startEnding(key: string, n: number): Promise<void> {
  const deadlineMs = Date.now() + 200_000
  const send = demoApi({ apiUrl: `http://127.0.0.1:${api.port}/v1`, key, deadlineMs })
  let stated = 0
  const ending: Send = (method, path, body) =>
    path === '/portfolio/transaction' && ++stated === n
      ? Promise.reject(new Error('killed'))
      : send(method, path, body)
  // With its deadline in the past it does not wait.
  await demoPortfolios({ send: ending, key, db: api.owner, deadlineMs: 0, wallet }).catch((error: Error) =>
    expect(error.message).toBe('killed'),
  )
}

async function statedOf(accountId: string) {
  const rows = await api.owner
    .selectFrom('manual_transactions as stated')
    .innerJoin('portfolios', 'portfolios.id', 'stated.portfolio_id')
    .where('account_id', '=', accountId)
    .select(['stated.coin_id', 'stated.count', 'name'])
    .orderBy('stated.at')
    .execute()
  return rows.map(({ coin_id: coinId, count, name }) => [name, coinId, Number(count)])
}

const ALL = [
  ['By hand', 'bitcoin', 0.4],
  ['By hand', 'ethereum', 3],
  ['By hand', 'bitcoin', -0.15],
]

test.each([1, 2, 3])(
  'after a start that is killed before manual transaction %i, the next start adds each missing one once',
  async (n) => {
    const { key, accountId } = await api.newAccount({ plan: 'pro' })
    await startEnding(key, n)
    expect(await statedOf(accountId)).toEqual(ALL.slice(0, n - 1))
    await startEnding(key, Infinity)
    expect(await statedOf(accountId)).toEqual(ALL)
    await startEnding(key, Infinity)
    expect(await statedOf(accountId)).toEqual(ALL)
  },
)

test('a manual portfolio that its user has renamed is left alone', async () => {
  const { key, accountId } = await api.newAccount({ plan: 'pro' })
  await startEnding(key, 1)
  await api.owner
    .updateTable('portfolios')
    .set({ name: 'Mine' })
    .where('kind', '=', 'manual')
    .where('account_id', '=', accountId)
    .execute()
  await startEnding(key, Infinity)
  expect(await statedOf(accountId)).toEqual([])
})
