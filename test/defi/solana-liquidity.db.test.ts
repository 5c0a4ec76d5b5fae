import { expect, test } from 'vitest'
import { provider } from '../../sandbox/solana/actors.ts'
import { drop, usdc } from '../../sandbox/solana/tokens.ts'
import { investmentsIn, startSolanaWorld } from './solana-world.ts'

// Liquidity on the simulated Solana, from a wallet's history to the endpoints.

const { defi, balance, readCounted } = await startSolanaWorld({
  wallets: [provider],
  coins: [
    ['bitcoin', '80000'],
    ['ethereum', '2000'],
    ['solana', '200'],
    ['usd-coin', '1', usdc],
    ['sluice-drop', '0.5', drop],
  ],
})

const query = `address=${provider}&connectionId=solana`

test('positions are read in a few calls', async () => {
  const { read, calls } = await readCounted()
  expect(read).toMatchObject({ read: 1, failed: 0 })
  expect(calls).toEqual({
    getEpochInfo: 1,
    getBlockTime: 1,
    // What programs keep for its NFTs; pools; ticks and vaults; decimals of a reward that it never held. Reserves are
    // read when the node has listed obligations, which may be with pools or ticks.
    getMultipleAccounts: expect.toBeOneOf([4, 5]),
    // Stake accounts and obligations.
    getProgramAccounts: 2,
    getTokenAccountsByOwner: 2,
  })
})

test('/wallet/defi has positions with fees and rewards', async () => {
  const { body } = await defi(`/wallet/defi?${query}`)
  const investments = investmentsIn(body).map(({ protocol, name, value, healthRate, assets }) => ({
    protocol,
    name,
    usd: value.USD,
    ...(healthRate && { health: healthRate }),
    assets: assets.map((asset: any) => [asset.title, asset.amount, asset.coinId]),
  }))
  expect(investments).toEqual([
    {
      protocol: 'Orca',
      name: 'Liquidity 0.3%',
      usd: expect.closeTo((231.408753177 + 0.25) * 200 + 40_826.170667 + 30 + 2.5, 6),
      assets: [
        ['Supplied', 231.408753177, 'solana'],
        ['Supplied', 40_826.170667, 'usd-coin'],
        ['Unclaimed', 0.25, 'solana'],
        ['Unclaimed', 30, 'usd-coin'],
        ['Unclaimed', 5, 'sluice-drop'],
      ],
    },
    {
      protocol: 'Raydium',
      name: 'Liquidity 0.05%',
      usd: expect.closeTo((23.186240337 + 0.02) * 200 + 4_046.683516 + 4, 6),
      assets: [
        ['Supplied', 23.186240337, 'solana'],
        ['Supplied', 4_046.683516, 'usd-coin'],
        ['Unclaimed', 0.02, 'solana'],
        ['Unclaimed', 4, 'usd-coin'],
      ],
    },
    {
      protocol: 'Kamino Lend',
      name: 'Main Market',
      usd: expect.closeTo(20 * 200 - 1_000, 6),
      health: 2.4,
      assets: [
        ['Supplied', 20, 'solana'],
        ['Borrowed', -1_000, 'usd-coin'],
      ],
    },
  ])
})

test('what is supplied has left the balance, and NFTs have no value beside it', async () => {
  const { body } = await balance(`/wallet/balance?${query}`)
  const amounts = Object.fromEntries(body.map((row: any) => [row.coinId, row.amount]))
  expect(amounts['solana']).toBeCloseTo(300 - 231.408753178 - 23.186240338 - 20, 1)
  expect(amounts['usd-coin']).toBeCloseTo(50_000 - 40_826.170668 - 4_046.683517 + 800, 6)
  const nfts = body.filter(({ coinId }: any) => !['solana', 'usd-coin'].includes(coinId))
  expect(nfts).toEqual([1, 1].map((amount) => expect.objectContaining({ amount, isPriced: false })))
})
