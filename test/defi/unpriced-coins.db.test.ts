import { expect, onTestFinished, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { unpricedCoins } from '../../db/defi/unpriced-coins.ts'
import { writeDefiRead } from '../../db/defi/write-positions.ts'
import { transact } from '../../db/transact.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'
import { activateNetworks, address, hash, insertBalance, insertWallet } from '../setup/wallet-factories.ts'

const database = await testDatabase()

test('prices are asked for coins of positions that no list and no quote knows on their network, without spam', async () => {
  const { db, pool, close } = openDb({
    url: database.ownerUrl,
    maxConnections: 1,
    applicationName: 'test',
  })
  onTestFinished(close)
  const at = new Date('2026-03-10T12:00:00Z')
  const [LISTED, ELSEWHERE, QUOTED, BARE, SCAM] = [1, 2, 3, 4, 5].map((n) => address(n))
  await activateNetworks(db, ['ethereum', 'base-wallet'])
  await insertCoin(db, {
    id: 'listed',
    at,
    contracts: [
      { blockchain: 'ethereum', address: LISTED!, decimals: 18 },
      { blockchain: 'base', address: ELSEWHERE!, decimals: 18 },
    ],
  })
  await insertCoin(db, { id: 'quoted', priceUsd: '1', at })
  const networkId = 'ethereum'
  const walletId = await insertWallet(db, { address: address(9), syncs: { ethereum: at } })
  const tokens = [
    { token: LISTED!, coinId: 'listed' },
    { token: ELSEWHERE!, coinId: 'elsewhere' },
    { token: QUOTED!, coinId: 'quoted' },
    { token: BARE!, coinId: 'bare' },
    { token: SCAM!, coinId: 'scam', spamReason: 'advertises' },
  ]
  for (const { token, coinId, ...spam } of tokens)
    await insertBalance(db, { walletId, networkId, coinId, raw: '0', at, token: { address: token, ...spam } })
  const position = {
    protocolId: 'aave-v3',
    id: address(0xaa),
    name: 'Lending, Core market',
    poolAddress: address(0xaa),
    healthRate: null,
    unlockAt: null,
    endAt: null,
    assets: tokens.map(({ token }) => ({ role: 'supplied' as const, token, raw: 1n })),
  }
  await transact(pool, ({ client }) =>
    writeDefiRead(client, {
      walletId,
      networkId,
      block: { number: 7, hash: hash(7), at },
      source: 'test',
      fetchedAt: at,
      answered: ['aave-v3'],
      unknown: [],
      failure: null,
      positions: [position],
    }),
  )
  expect(await unpricedCoins(pool, { networkId, walletIds: [walletId] })).toEqual(['bare', 'elsewhere'])
})
