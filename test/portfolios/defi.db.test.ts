import { beforeAll, expect, test } from 'vitest'
import { getPortfolioDefi } from '../../api/portfolios/get-defi.ts'
import { getPortfolioValue } from '../../api/portfolios/get-value.ts'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint } from '../setup/endpoint.ts'
import { activateNetworks, address } from '../setup/wallet-factories.ts'
import { at, insertMarket, NOW, portfolioWorld } from './portfolio-world.ts'
import { supplyEther } from './supply-ether.ts'

// DeFi positions of the wallets of portfolios.

const database = await testDatabase()
const api = await startApi({ database, routes, overrides: { now: () => NOW } })
const ingest = openDb({ url: database.ingestUrl, maxConnections: 2, applicationName: 'test' })
const world = portfolioWorld(database, { db: api.owner }, ingest)
const { key, accountId } = await api.newAccount({ plan: 'pro' })
const defi = endpoint(api, { route: getPortfolioDefi, key })
const [ETHEREUM, BASE] = ['ethereum', 'base-wallet'] as const
const supply = (to: Parameters<typeof supplyEther>[1]) => supplyEther(ingest.pool, to)
const ids = { ethereum: '', base: '', manual: '' }

beforeAll(async () => {
  await insertMarket(api.owner, database.ownerUrl)
  await activateNetworks(api.owner, [ETHEREUM, BASE])
  const held = [{ at: at('02T06:00:00'), coinId: 'bitcoin', amount: 1, priceUsd: 51_000 }]
  await supply({ walletId: await world.wallet(address(1), ETHEREUM, held), networkId: ETHEREUM, ether: 2n })
  await supply({ walletId: await world.wallet(address(2), BASE, held), networkId: BASE, ether: 3n })
  ids.ethereum = await world.walletPortfolio(accountId, address(1), ETHEREUM)
  ids.base = await world.walletPortfolio(accountId, address(2), BASE)
  ids.manual = await world.manualPortfolio(accountId, [])
  return () => ingest.close()
})

test('returns the positions of one or all portfolios, and none for a manual portfolio', async () => {
  for (const [portfolioId, usd, networks] of [
    [ids.ethereum, 4_000, ['ethereum']],
    [ids.base, 6_000, ['base']],
    [undefined, 10_000, ['ethereum', 'base']],
    [ids.manual, 0, []],
  ] as const) {
    const rest = portfolioId === undefined ? '' : `?portfolioId=${portfolioId}`
    const { body, credits } = await defi(`/portfolio/defi${rest}`)
    expect(body.totalAssets.USD).toBe(usd)
    expect(body.protocols.map(({ chain }: { chain: string }) => chain)).toEqual(networks)
    expect(credits).toBe(200)
    const value = endpoint(api, { route: getPortfolioValue, key })
    const { body: worth } = await value(`/portfolio/value${rest}`)
    expect(worth.defiValue).toBe(usd)
    expect(worth.totalValue).toBe(networks.length * 59_000)
    const { body: inBitcoin } = await value(`/portfolio/value?currency=BTC${rest.replace('?', '&')}`)
    expect(inBitcoin.defiValue).toBeCloseTo(usd / 59_000, 12)
  }
})

test('names a portfolio as pending until its positions are read', async () => {
  const other = await api.newAccount({ plan: 'pro' })
  await world.wallet(address(3), ETHEREUM, [])
  const id = await world.walletPortfolio(other.accountId, address(3), ETHEREUM)
  const { body } = await endpoint(api, { route: getPortfolioDefi, key: other.key })('/portfolio/defi')
  expect(body).toEqual({
    totalAssets: { USD: 0, BTC: 0, ETH: 0 },
    protocols: [],
    meta: { pending: [id] },
  })
})
