import { openDb } from '../../db/connect.ts'
import { networks } from '../../sandbox/chain/networks.ts'
import { tokens } from '../../sandbox/chain/tokens.ts'
import { insertCoin, insertPrices } from '../setup/factories.ts'

/** Inserts the coins of the sandbox's tokens with their contracts, as the coin list returns them. */
export async function seedSandboxCoins(ownerUrl: string): Promise<void> {
  const { db, close } = openDb({ url: ownerUrl, maxConnections: 1, applicationName: 'test' })
  const native = { id: 'ethereum', symbol: 'ETH', name: 'Ethereum', rank: 2 }
  const listed = tokens.filter(({ coinId }) => coinId !== null && !coinId.startsWith('llama:'))
  const byCoin = Map.groupBy(listed, ({ coinId }) => coinId!)
  const coins = [...byCoin].map(([id, contracts], i) => ({
    id,
    symbol: contracts[0]!.symbol,
    name: contracts[0]!.name,
    rank: 3 + i,
    isStable: ['usd-coin', 'tether', 'dai'].includes(id),
    contracts: contracts.map(({ network, address, decimals }) => ({
      blockchain: networks.find(({ id: networkId }) => networkId === network)!.platform,
      address,
      decimals,
    })),
  }))
  const at = new Date()
  for (const coin of [native, ...coins]) {
    await insertCoin(db, { ...coin, at })
    await insertPrices(db, { coinId: coin.id, resolution: 'day', points: pricesOf(coin.rank) })
  }
  await close()
}

const DAY_MS = 86_400_000

/** A price for each midnight of the sandbox's two years: the rank, with the day's number as decimals. */
function pricesOf(rank: number): (readonly [Date, string])[] {
  const lastMs = Math.floor(Date.now() / DAY_MS) * DAY_MS
  return Array.from({ length: 740 }, (_, i) => [new Date(lastMs - i * DAY_MS), `${rank}.${740 - i}`] as const)
}
