import { beforeAll } from 'vitest'
import { getPortfolioList } from '../../api/portfolios/get-list.ts'
import { routes } from '../../api/routes.ts'
import { createPortfolio } from '../../db/portfolios/operator.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint } from '../setup/endpoint.ts'
import { insertCoin, insertPrices, insertRates } from '../setup/factories.ts'
import { activateNetworks, address, outboxOf } from '../setup/wallet-factories.ts'

export const NOW = new Date('2026-03-10T12:00:00Z')
export const WALLET = address(1)

interface CallOptions {
  body?: unknown
  headers?: Record<string, string>
}

/**
 * An API with one coin at two prices and a currency with two rates, and helpers that write. No worker runs
 * here.
 */
export async function startWritesWorld() {
  const database = await testDatabase()
  const api = await startApi({ database, routes, overrides: { now: () => NOW } })

  beforeAll(async () => {
    await activateNetworks(api.owner, ['ethereum', 'base-wallet', 'bitcoin'])
    await insertCoin(api.owner, { id: 'bitcoin', symbol: 'btc', rank: 1, priceUsd: '60000', at: NOW })
    await insertPrices(api.owner, {
      coinId: 'bitcoin',
      resolution: 'hour',
      points: [
        [new Date('2026-03-01T00:00:00Z'), '50000'],
        [new Date('2026-03-10T12:00:00Z'), '60000'],
      ],
    })
    await insertRates(api.owner, {
      currency: 'EUR',
      rates: [
        [new Date('2026-03-01T00:00:00Z'), '0.8'],
        [new Date('2026-03-10T00:00:00Z'), '0.5'],
      ],
    })
  })

  return {
    database,
    api,
    call: (method: string, path: string, key: string, { body, headers = {} }: CallOptions = {}) =>
      api.get(path, key, {
        method,
        headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    json: async (response: Response): Promise<any> => response.json(),
    list: async (key: string) =>
      (await endpoint(api, { route: getPortfolioList, key })('/portfolio/list')).body.result,
    /** Creates a manual portfolio. */
    manual: async (accountId: string, name = 'Mine') =>
      (await createPortfolio(api.owner, { accountId, name, now: NOW })).portfolioId,
    newest: async () => (await outboxOf(api.owner)).at(-1),
  }
}
