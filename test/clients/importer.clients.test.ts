import { describe, expect, inject, test, vi } from 'vitest'
import { bitcoinWallets } from '../../sandbox/bitcoin/actors.ts'
import { wallets as evmWallets } from '../../sandbox/chain/actors.ts'
import { solanaWallets } from '../../sandbox/solana/actors.ts'
import { settle } from '../start/settle.ts'
import { countCalls } from './count-calls.ts'
import { createPortfolioImporter, type ImportedCoin, type LinkedWallet } from './portfolio-importer.ts'

// A person links wallets that the installation has never heard of.

const { url, home, key } = inject('installation')
const importer = createPortfolioImporter({ url, key })
const addressOf = (label: string) => evmWallets.find((wallet) => wallet.label === label)!.address
const [lender, collector] = [addressOf('DeFi'), addressOf('Collector')]
const wallets: LinkedWallet[] = [
  { address: lender, connectionId: 'ethereum' },
  { address: lender, connectionId: 'base-wallet' },
  { address: collector, connectionId: 'ethereum' },
  { address: bitcoinWallets[1]!.name, connectionId: 'bitcoin' },
  { address: solanaWallets[1]!.address, connectionId: 'solana' },
]
const [first] = wallets as [LinkedWallet]
const PATIENCE = { timeout: 300_000, interval: 2_000 }
let linked: ImportedCoin[][]

const part = (what: string) => countCalls({ name: 'Portfolio importer', part: what, calls: importer.calls })

describe('a wallet nobody synced', () => {
  part('links wallets by their balances')

  test('its network is in the list of networks', async () => {
    const offered = (await importer.networks()).map((network: LinkedWallet) => network.connectionId)
    expect(offered).toEqual(expect.arrayContaining(wallets.map(({ connectionId }) => connectionId)))
  })

  test('the first read has its coins, says that the rest is pending, and names the newer endpoint', async () => {
    const { body, headers } = await importer.link(wallets)
    linked = body
    for (const coins of linked) expect(coins.length).toBeGreaterThan(0)
    expect(headers.get('x-sync-status')).toBe('syncing')
    expect(headers.get('deprecation')).toBe('true')
    expect(headers.get('link')).toContain('/wallet/balance/many')
  })
})

describe('right after it is linked', () => {
  part('reads while the history is fetched')

  test('its balances are the same in all three endpoints', async () => {
    const amounts = (all: ImportedCoin[][]) =>
      all.map((coins) => Object.fromEntries(coins.map(({ coinId, amount }) => [coinId, amount])))
    // Unlisted coins are added when the history is complete, which may be between two calls.
    await vi.waitFor(async () => {
      expect(amounts(await importer.balances(wallets))).toMatchObject(amounts(linked))
    }, PATIENCE)
  })

  test('its DeFi positions, NFTs and charts can be read', async () => {
    await importer.defi(first)
    await importer.nfts(collector)
    expect(await importer.charts(wallets)).toHaveLength(1)
  })

  test('its profit history can be read', async () => {
    const { body } = await importer.profitHistory(first)
    expect(body.meta).toMatchObject({ currency: 'USD', range: '1y', interval: 'monthly' })
  })
})

describe('later', () => {
  part('polls until the history is there')

  test('its transactions arrive by themselves', async () => {
    const all = await vi.waitFor(async () => {
      const found = await importer.transactions(wallets)
      expect(found).not.toBeNull()
      return found!
    }, PATIENCE)
    const times = all.map(({ date }) => Date.parse(date))
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    expect(times.length).toBeGreaterThan(20)
    for (const wallet of wallets)
      await vi.waitFor(async () => expect(await importer.status(wallet)).toBe('synced'), PATIENCE)
  })

  test('its profit history has points', async () => {
    await vi.waitFor(async () => {
      const { body } = await importer.profitHistory(first)
      expect(body.result.length).toBeGreaterThan(3)
      expect(body.meta.from <= body.result[0].date).toBe(true)
      expect(body.meta.lastSyncedAt).not.toBeNull()
    }, PATIENCE)
  })

  test('the next poll finds DeFi positions and NFTs', async () => {
    await settle({ home })
    const { body } = await importer.defi(first)
    expect(body.protocols.length).toBeGreaterThan(0)
    expect((await importer.nfts(collector)).length).toBeGreaterThan(0)
  })
})

describe('a wallet that a person follows', () => {
  part('makes a portfolio of a wallet')
  const followed = { address: addressOf('Airdrop hunter'), connectionId: 'base-wallet' }

  test('has its coins, value and DeFi positions right after it is connected', async () => {
    const portfolioId = await importer.connect(followed)
    const { coins, value } = await importer.portfolio(portfolioId)
    expect(coins.length).toBeGreaterThan(0)
    expect(value.totalValue).toBeGreaterThan(0)
    await importer.disconnect(portfolioId)
  })
})

describe('a wallet whose status alone is asked', () => {
  part('asks for the status of a wallet')

  test('is synced after a while', async () => {
    const asked = { address: addressOf('Bridge user'), connectionId: 'base-wallet' }
    expect(await importer.status(asked)).toBe('syncing')
    await vi.waitFor(async () => expect(await importer.status(asked)).toBe('synced'), PATIENCE)
  })
})
