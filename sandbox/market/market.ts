import { coins as catalogue, type SandboxCoin } from './coins.ts'
import { createNoise, hash32, hashText } from './noise.ts'

const day = 86_400
const hour = 3600
const marketVolatility = 0.02

export type Market = ReturnType<typeof createMarket>

/**
 * The simulated market: USD prices as a pure function of seed, coin and time, so history continues for ever.
 * `anchor` (Unix seconds) is the instant from which listings and delistings are counted back.
 */
export function createMarket(options: { seed: number; anchor: number }) {
  const { seed, anchor } = options
  const byId = new Map(catalogue.map((c) => [c.id, c]))
  const keys = new Map(catalogue.map((c) => [c.id, hashText(seed, c.id)]))
  const own = new Map(catalogue.map((c) => [c.id, createNoise(keys.get(c.id)!)]))
  const turnover = new Map(catalogue.map((c) => [c.id, createNoise(keys.get(c.id)! ^ 0x766f)]))
  const marketNoise = createNoise(hashText(seed, 'market'))
  const marketByHour = new Map<number, number>()
  const depegStart = anchor - 500 * day

  // Cached, because charts of 200 coins read the same hours.
  function marketFactor(at: number): number {
    if (at % hour !== 0) return marketNoise(at)
    let value = marketByHour.get(at)
    if (value === undefined) marketByHour.set(at, (value = marketNoise(at)))
    return value
  }

  function listedAt(coin: SandboxCoin): number {
    return coin.listedDaysBefore === null ? -Infinity : anchor - coin.listedDaysBefore * day
  }

  function delistedAt(coin: SandboxCoin): number {
    return coin.delistedDaysBefore === null ? Infinity : anchor - coin.delistedDaysBefore * day
  }

  // Dai once lost its peg for five days, down to 0.87.
  function peg(coin: SandboxCoin, at: number): number {
    const x = (at - depegStart) / (5 * day)
    return coin.id === 'dai' && x > 0 && x < 1 ? 1 - 0.13 * Math.sin(Math.PI * x) ** 2 : 1
  }

  /** Price in USD, whether listed or not. Alias coins follow their original. */
  function rawPriceUsd(coin: SandboxCoin, at: number): number {
    const original = coin.aliasOf === null ? coin : byId.get(coin.aliasOf)!
    const noise = own.get(original.id)!
    // A stablecoin returns to its peg, so it gets only the fast part of the noise.
    if (original.stable) {
      return peg(original, at) * (1 + original.dailyVolatility * (noise(at) - noise(at - 2 * day)))
    }
    const market = original.beta * marketVolatility * marketFactor(at)
    return original.levelUsd * Math.exp(market + original.dailyVolatility * noise(at))
  }

  /** Price in USD at an instant; null before the listing and from the delisting on. */
  function priceUsd(id: string, at: number): number | null {
    const coin = byId.get(id)
    if (!coin || at < listedAt(coin) || at >= delistedAt(coin)) return null
    return rawPriceUsd(coin, at)
  }

  /** Whether the sources have no point for a coin at an instant. */
  function isGap(coin: SandboxCoin, at: number): boolean {
    return coin.hasGaps && hash32(keys.get(coin.id)! ^ 0x6a70, Math.floor(at / (5 * hour))) % 60 === 0
  }

  function volume24hUsd(coin: SandboxCoin, at: number): number {
    const share = coin.stable ? 0.5 : 0.04
    const price = priceUsd(coin.id, at) ?? 0
    // Use only the fast part of the noise: unlike a price, turnover returns to its level.
    const noise = turnover.get(coin.id)!
    return price * coin.circulatingSupply * share * Math.exp(0.2 * (noise(at) - noise(at - 5 * day)))
  }

  /** Coins that the sources list at an instant, by market capitalisation. */
  function listedCoins(at: number): SandboxCoin[] {
    return catalogue
      .filter((c) => c.paprikaId !== null && at >= listedAt(c) && at < delistedAt(c))
      .map((coin) => ({ coin, capUsd: marketCapUsd(coin, at) }))
      .sort((a, b) => b.capUsd - a.capUsd || (a.coin.id < b.coin.id ? -1 : 1))
      .map(({ coin }) => coin)
  }

  /** Coins that were listed at or before an instant, including delisted ones. */
  function everListed(at: number): SandboxCoin[] {
    return catalogue.filter((c) => c.paprikaId !== null && at >= listedAt(c))
  }

  function marketCapUsd(coin: SandboxCoin, at: number): number {
    return (priceUsd(coin.id, at) ?? 0) * coin.circulatingSupply
  }

  /** The coin of a contract. `platform` is CoinGecko's name. */
  function coinOfContract(platform: string, address: string): SandboxCoin | null {
    const canonical = address.startsWith('0x') ? address.toLowerCase() : address
    return catalogue.find((c) => c.platforms[platform]?.address === canonical) ?? null
  }

  return {
    seed,
    anchor,
    priceUsd,
    isGap,
    volume24hUsd,
    marketCapUsd,
    listedCoins,
    listedAt,
    everListed,
    coinOfContract,
    coin: (id: string): SandboxCoin | null => byId.get(id) ?? null,
  }
}
