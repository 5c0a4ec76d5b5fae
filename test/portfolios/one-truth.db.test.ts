import { beforeAll, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import { writeDefiRead } from '../../db/defi/write-positions.ts'
import { setDegen } from '../../db/metering/write.ts'
import { transact } from '../../db/transact.ts'
import { exportWorld } from '../export/export-world.ts'
import { askCatalog, EXAMPLES } from '../export/compare-examples.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin, insertPrices } from '../setup/factories.ts'
import { query } from '../setup/query.ts'
import { activateNetworks, address, hash, insertBalance } from '../setup/wallet-factories.ts'
import { oneTruth } from './one-truth.ts'
import { at, insertMarket, NOW, portfolioWorld } from './portfolio-world.ts'
import { share } from './share-probe.ts'

// An account with everything that has a value, at one instant: every endpoint gives the same sums.

const database = await testDatabase()
const api = await startApi({ database, routes, overrides: { now: () => NOW } })
const exported = await exportWorld(database)
const ingest = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const world = portfolioWorld(database, { db: api.owner }, ingest)
const { key, accountId } = await api.newAccount({ plan: 'pro' })
const W = address(1)
const TOKEN = address(0xa)
const ETHER = 10n ** 18n
const ids = { ethereum: '', base: '', exchange: '', manual: '' }
let token: string

beforeAll(async () => {
  await insertMarket(api.owner, database.ownerUrl)
  await insertCoin(api.owner, { id: 'dust', priceUsd: '0.000012345', at: at('10T11:58:00') })
  await insertPrices(api.owner, {
    coinId: 'dust',
    resolution: 'day',
    points: [[at('01T00:00:00'), '0.00001']],
  })
  // Quotes of several ages, each later than the last stored price.
  for (const [coinId, usd, time] of [
    ['bitcoin', '60123.45', '10T11:59:30'],
    ['ethereum', '2098.7654321', '10T11:55:00'],
    ['tether', '0.9998', '10T09:00:00'],
  ] as const)
    await query(database.ownerUrl, 'update coin_quotes set price_usd = $2, at = $3 where coin_id = $1', [
      coinId,
      usd,
      at(time),
    ])
  await activateNetworks(api.owner, ['ethereum', 'base-wallet'])
  const walletId = await world.wallet(W, 'ethereum', [
    { at: at('02T06:00:00'), coinId: 'ethereum', amount: 2, priceUsd: 1_900 },
    { at: at('04T06:00:00'), coinId: 'dust', amount: 1_000_000, priceUsd: 0.00001 },
    // Goes to the exchange.
    { at: at('05T06:00:00'), coinId: 'ethereum', amount: -0.5, priceUsd: 2_000 },
    { at: at('10T10:30:00'), coinId: 'ethereum', amount: 0.25, priceUsd: 2_000 },
  ])
  const other = await world.wallet(address(2), 'base-wallet', [
    { at: at('03T06:00:00'), coinId: 'bitcoin', amount: 0.5, priceUsd: 52_000 },
    { at: at('10T11:00:00'), coinId: 'bitcoin', amount: -0.2, priceUsd: 59_000 },
  ])
  const held = { walletId, networkId: 'ethereum', at: NOW }
  await insertBalance(api.owner, { ...held, coinId: 'ethereum', raw: String((7n * ETHER) / 4n) })
  await insertBalance(api.owner, {
    ...held,
    coinId: 'dust',
    raw: String(1_000_000n * ETHER),
    token: { address: TOKEN, symbol: 'DUST' },
  })
  await insertBalance(api.owner, {
    walletId: other,
    networkId: 'base-wallet',
    coinId: 'bitcoin',
    raw: '30000000',
    decimals: 8,
    at: NOW,
    token: { address: address(0xb), symbol: 'WBTC' },
  })
  const aave = {
    protocolId: 'aave-v3',
    id: 'p',
    name: 'Aave',
    poolAddress: address(0xaa),
    healthRate: null,
    unlockAt: null,
    endAt: null,
    assets: [
      { role: 'supplied', token: null, raw: 3n * ETHER },
      { role: 'borrowed', token: TOKEN, raw: 7n * ETHER },
    ],
  }
  for (const read of [
    { walletId, networkId: 'ethereum', positions: [aave] },
    { walletId: other, networkId: 'base-wallet', positions: [] },
  ])
    await transact(ingest.pool, ({ client }) =>
      writeDefiRead(client, {
        ...read,
        block: { number: 1, hash: hash(1), at: NOW },
        source: 'test',
        fetchedAt: NOW,
        answered: ['aave-v3'],
        unknown: [],
        failure: null,
      }),
    )
  ids.ethereum = await world.walletPortfolio(accountId, W, 'ethereum', 'Cold')
  ids.base = await world.walletPortfolio(accountId, address(2), 'base-wallet', 'Base')
  ids.exchange = await world.exchangePortfolio(accountId, [
    ['deposit', at('02T06:00:00'), 'USDT', 10_000],
    ['fill', at('10T09:30:00'), 'BTC', 0.1, ['USDT', -5_200]],
    ['deposit', at('05T07:00:00'), 'ETH', 0.5],
  ])
  ids.manual = await world.manualPortfolio(
    accountId,
    [
      { at: at('04T06:00:00'), coinId: 'bitcoin', count: 1, priceUsd: 53_000 },
      { at: at('10T11:59:45'), coinId: 'ethereum', count: 3, priceUsd: 2_098 },
      { at: at('08T06:00:00'), coinId: 'bitcoin', count: -0.5, priceUsd: 57_000 },
    ],
    { costMethod: 'fifo', name: 'By hand' },
  )
  await setDegen(api.owner, { accountId, degen: true })
  ;({ token } = await share(api, { portfolioId: ids.ethereum }))
  return () => ingest.close()
})

test('every endpoint gives the same sums at one instant', async () => {
  const ask = async (path: string) => {
    const response = await api.get(path, key)
    const body = (await response.json()) as any
    expect([path, response.status, body]).toEqual([path, 200, body])
    return body
  }
  const page = await (await fetch(`http://127.0.0.1:${api.port}/p/${token}`)).text()
  const { compared, differences } = await oneTruth({
    ask,
    wallets: {
      [ids.ethereum]: { address: W, connectionId: 'ethereum' },
      [ids.base]: { address: address(2), connectionId: 'base-wallet' },
    },
    exchanges: {},
    hasDefi: true,
    share: { portfolioId: ids.ethereum, token, page },
  })
  expect(differences).toEqual([])
  expect(compared).toBeGreaterThan(100)

  const folder = exported.newFolder()
  await exported.run(folder)
  const rows = await askCatalog(folder, `set variable wallet = '${W}'`, EXAMPLES.get('wallet')!)
  const worth = rows.reduce((sum, row) => sum + Number(row['amount']) * Number(row['price_usd']), 0)
  const { totalValue } = await ask(`/portfolio/value?currency=USD&portfolioId=${ids.ethereum}`)
  expect(worth).toBeCloseTo(totalValue, 9)
})
