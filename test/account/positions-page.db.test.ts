import { beforeAll, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { openDb } from '../../db/connect.ts'
import { DEPOSIT, funded, insertInvestor, insertTether, supplied } from '../defi/investor.ts'
import { at, insertMarket, NOW, portfolioWorld } from '../portfolios/portfolio-world.ts'
import { supplyEther } from '../portfolios/supply-ether.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { activateNetworks, address, hash } from '../setup/wallet-factories.ts'
import { startAccountWorld } from './account-world.ts'
import { browse } from './browse.ts'

const database = await testDatabase()
const overrides = { now: () => NOW }
const { api, url, openTo } = await startAccountWorld({ database, routes, overrides, hasDemo: true })
const ingest = openDb({ url: database.ingestUrl, maxConnections: 2, applicationName: 'test' })
const { accountId } = await api.newAccount()
const [wallet, collection] = [address(1), address(9)] as const
let savings: string

beforeAll(async () => {
  await openTo(accountId)
  await insertMarket(api.owner, database.ownerUrl)
  await activateNetworks(api.owner, ['ethereum'])
  const world = portfolioWorld(database, { db: api.owner }, ingest)
  const held = [{ at: at('02T06:00:00'), coinId: 'bitcoin', amount: 1, priceUsd: 51_000 }]
  const walletId = await world.wallet(wallet, 'ethereum', held)
  await supplyEther(ingest.pool, { walletId, networkId: 'ethereum', ether: 2n })
  await world.walletPortfolio(accountId, wallet, 'ethereum')
  await insertTether(database.ownerUrl)
  const { compute } = world
  const invested = { transactions: [funded('02'), DEPOSIT], assets: [supplied(546n)] }
  const investor = await insertInvestor(
    { owner: api.owner, pool: ingest.pool, compute },
    { index: 20, ...invested },
  )
  await world.walletPortfolio(accountId, investor.wallet, 'ethereum')
  savings = await world.manualPortfolio(accountId, [], { name: 'Savings' })
  await query(
    database.ownerUrl,
    `insert into transfers (network_id, tx_hash, kind, position, token_address, token_id, from_address, to_address, raw,
       block_number, block_hash, at, source, fetched_at)
     select 'ethereum', $4, 'erc721', n, $1, n, $2, $3, 1, 1, $4, now(), 'test', now()
     from generate_series(1, 3) as n`,
    [collection, address(8), wallet, hash(1)],
  )
  return () => ingest.close()
})

test('positions in DeFi and NFTs of the wallets are listed, in the currency of the page', async () => {
  const { status, text } = await browse(url).get('/demo/positions')
  expect(status).toBe(200)
  expect(text).toMatch(/Aave[\s\S]*Lending[\s\S]*Supplied 2 ETH[\s\S]*\$4,000\.00/)
  expect(text).toMatch(
    /Vault[\s\S]*<td data-name="Value"[^>]*>\$546\.00<\/td>[\s\S]*<td data-name="Profit"[\s\S]*\+\$26\.00/,
  )
  expect(text).toMatch(new RegExp(`${collection}[\\s\\S]*<td data-name="Tokens"[^>]*>3</td>`))
  // 0.26 ETH went in, and 546 USD are 0.273 ETH.
  const inEther = await browse(url).get('/demo/positions?currency=ETH')
  expect(inEther.text).toMatch(/Vault[\s\S]*<td data-name="Profit"[\s\S]*\+[^<]*0\.013/)
  const manual = await browse(url).get(`/demo/positions?portfolio=${savings}`)
  expect(manual.text).toMatch(/No positions\.[\s\S]*No NFTs\./)
})
