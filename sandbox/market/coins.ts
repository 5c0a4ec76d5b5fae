import { cardanoTokens } from '../cardano/actors.ts'
import { tokens } from '../chain/tokens.ts'
import { COSMOS_NETS } from '../cosmos/actors.ts'
import { solanaTokens } from '../solana/tokens.ts'
import { suiCoins } from '../sui/actors.ts'
import { jettons } from '../ton/actors.ts'
import { tronTokens } from '../tron/actors.ts'
import { inventedCoins } from './invented-coins.ts'

export type SandboxCoin = {
  id: string
  symbol: string
  name: string
  /** Id at CoinPaprika; null: only DefiLlama knows the coin. */
  paprikaId: string | null
  /** Price in USD around which the coin moves. */
  levelUsd: number
  /** Standard deviation of the daily change of the logarithm, without the market factor. */
  dailyVolatility: number
  /** How strongly the coin follows the market factor. */
  beta: number
  /** Id of the coin whose price it follows exactly (wrapped assets); null: none. */
  aliasOf: string | null
  stable: boolean
  circulatingSupply: number
  totalSupply: number
  maxSupply: number | null
  categories: string[]
  /** Contract address and decimals by CoinGecko's platform name. */
  platforms: Record<string, { address: string; decimals: number }>
  listedDaysBefore: number | null
  delistedDaysBefore: number | null
  hasGaps: boolean
}

type Row = [
  id: string,
  symbol: string,
  name: string,
  levelUsd: number,
  circulatingSupply: number,
  extra?: Partial<SandboxCoin>,
]

const layer1 = { categories: ['Layer 1 (L1)', 'Smart Contract Platform'] }
const stable = { stable: true, beta: 0, dailyVolatility: 0.0006, categories: ['Stablecoins'] }
const defi = { categories: ['Decentralized Finance (DeFi)'] }
const meme = { categories: ['Meme'], dailyVolatility: 0.06, beta: 1.4 }

// Well-known coins with realistic prices and supplies. Their history is invented, as for all coins.
const known: Row[] = [
  [
    'bitcoin',
    'btc',
    'Bitcoin',
    78_000,
    19_950_000,
    { maxSupply: 21_000_000, dailyVolatility: 0.008, ...layer1 },
  ],
  ['ethereum', 'eth', 'Ethereum', 2900, 120_600_000, { dailyVolatility: 0.014, beta: 1.15, ...layer1 }],
  ['tether', 'usdt', 'Tether', 1, 186_000_000_000, stable],
  ['ripple', 'xrp', 'XRP', 1.9, 60_000_000_000, { maxSupply: 100_000_000_000, ...layer1 }],
  ['binancecoin', 'bnb', 'BNB', 780, 137_700_000, { maxSupply: 200_000_000, ...layer1 }],
  ['solana', 'sol', 'Solana', 150, 553_000_000, { dailyVolatility: 0.026, beta: 1.3, ...layer1 }],
  ['usd-coin', 'usdc', 'USDC', 1, 76_000_000_000, stable],
  ['tron', 'trx', 'TRON', 0.28, 94_700_000_000, layer1],
  ['dogecoin', 'doge', 'Dogecoin', 0.16, 152_000_000_000, meme],
  ['cardano', 'ada', 'Cardano', 0.55, 36_600_000_000, { maxSupply: 45_000_000_000, ...layer1 }],
  [
    'wrapped-bitcoin',
    'wbtc',
    'Wrapped Bitcoin',
    78_000,
    125_000,
    { aliasOf: 'bitcoin', categories: ['Wrapped-Tokens'] },
  ],
  ['weth', 'weth', 'WETH', 2900, 2_800_000, { aliasOf: 'ethereum', categories: ['Wrapped-Tokens'] }],
  ['chainlink', 'link', 'Chainlink', 15, 697_000_000, { maxSupply: 1_000_000_000 }],
  [
    'hyperliquid',
    'hype',
    'Hyperliquid',
    34,
    270_000_000,
    { maxSupply: 1_000_000_000, listedDaysBefore: 690, ...layer1 },
  ],
  ['stellar', 'xlm', 'Stellar', 0.26, 32_000_000_000, { maxSupply: 50_001_806_812 }],
  ['bitcoin-cash', 'bch', 'Bitcoin Cash', 480, 19_960_000, { maxSupply: 21_000_000 }],
  ['sui', 'sui', 'Sui', 2.4, 3_700_000_000, { maxSupply: 10_000_000_000, ...layer1 }],
  ['avalanche-2', 'avax', 'Avalanche', 22, 427_000_000, { maxSupply: 720_000_000, ...layer1 }],
  ['litecoin', 'ltc', 'Litecoin', 92, 76_600_000, { maxSupply: 84_000_000 }],
  ['hedera-hashgraph', 'hbar', 'Hedera', 0.17, 42_500_000_000, { maxSupply: 50_000_000_000, ...layer1 }],
  ['shiba-inu', 'shib', 'Shiba Inu', 0.0000115, 589_000_000_000_000, meme],
  ['dai', 'dai', 'Dai', 1, 5_360_000_000, stable],
  ['polkadot', 'dot', 'Polkadot', 3.6, 1_630_000_000, layer1],
  ['uniswap', 'uni', 'Uniswap', 7.5, 630_000_000, { maxSupply: 1_000_000_000, ...defi }],
  ['aave', 'aave', 'Aave', 220, 15_300_000, { maxSupply: 16_000_000, ...defi }],
  ['maker', 'mkr', 'Maker', 1650, 847_000, defi],
  ['the-open-network', 'ton', 'Toncoin', 2.6, 2_560_000_000, layer1],
  ['monero', 'xmr', 'Monero', 320, 18_440_000, {}],
  ['pepe', 'pepe', 'Pepe', 0.0000085, 420_690_000_000_000, meme],
  ['near', 'near', 'NEAR Protocol', 2.3, 1_280_000_000, layer1],
  ['ethereum-classic', 'etc', 'Ethereum Classic', 17, 154_000_000, { maxSupply: 210_700_000 }],
  ['aptos', 'apt', 'Aptos', 4.1, 700_000_000, layer1],
  ['polygon-ecosystem-token', 'pol', 'POL (ex-MATIC)', 0.24, 10_500_000_000, {}],
  ['arbitrum', 'arb', 'Arbitrum', 0.42, 5_500_000_000, { maxSupply: 10_000_000_000 }],
  ['optimism', 'op', 'Optimism', 0.71, 1_780_000_000, { maxSupply: 4_294_967_296 }],
  ['cosmos', 'atom', 'Cosmos Hub', 4.2, 475_000_000, layer1],
  ['osmosis', 'osmo', 'Osmosis', 0.16, 720_000_000, { maxSupply: 1_000_000_000, ...layer1 }],
  ['celestia', 'tia', 'Celestia', 1.1, 810_000_000, layer1],
  ['filecoin', 'fil', 'Filecoin', 2.1, 690_000_000, { maxSupply: 1_960_000_000 }],
  ['algorand', 'algo', 'Algorand', 0.2, 8_760_000_000, { maxSupply: 10_000_000_000, ...layer1 }],
  ['vechain', 'vet', 'VeChain', 0.022, 85_900_000_000, {}],
  ['internet-computer', 'icp', 'Internet Computer', 4.6, 540_000_000, layer1],
  ['ethena', 'ena', 'Ethena', 0.38, 6_900_000_000, { maxSupply: 15_000_000_000, ...defi }],
  ['ethena-usde', 'usde', 'Ethena USDe', 1, 12_000_000_000, stable],
  [
    'monad',
    'mon',
    'Monad',
    0.035,
    10_800_000_000,
    { maxSupply: 100_000_000_000, listedDaysBefore: 260, ...layer1 },
  ],
  [
    'plasma',
    'xpl',
    'Plasma',
    0.4,
    1_800_000_000,
    { maxSupply: 10_000_000_000, listedDaysBefore: 400, ...layer1 },
  ],
  ['lido-dao', 'ldo', 'Lido DAO', 0.95, 896_000_000, { maxSupply: 1_000_000_000, ...defi }],
  [
    'staked-ether',
    'steth',
    'Lido Staked Ether',
    2900,
    8_700_000,
    {
      aliasOf: 'ethereum',
      categories: ['Liquid Staking'],
      platforms: { ethereum: { address: '0xae7ab96520de3a18e5e111b5eaab095312d7fe84', decimals: 18 } },
    },
  ],
  ['curve-dao-token', 'crv', 'Curve DAO', 0.6, 1_380_000_000, defi],
  ['compound-governance-token', 'comp', 'Compound', 44, 9_400_000, { maxSupply: 10_000_000, ...defi }],
  ['worldcoin-wld', 'wld', 'Worldcoin', 0.92, 1_900_000_000, { maxSupply: 10_000_000_000 }],
  ['injective-protocol', 'inj', 'Injective', 11, 97_700_000, layer1],
  [
    'sluice-drop',
    'drop',
    'Sluice Drop',
    1.8,
    12_000_000,
    {
      maxSupply: 50_000_000,
      dailyVolatility: 0.055,
      listedDaysBefore: 300,
      categories: ['Airdropped Tokens'],
    },
  ],
]

// Priced only by DefiLlama, by their contract address.
const contractOnly: Row[] = [
  ['llama:moss', 'moss', 'Moss Protocol', 0.42, 4_000_000, { dailyVolatility: 0.05 }],
  ['llama:fern', 'fern', 'Fern Finance', 3.3, 900_000, { dailyVolatility: 0.05 }],
  ['llama:taxed', 'taxed', 'Taxed Token', 0.09, 20_000_000, { dailyVolatility: 0.07 }],
]

function coin([id, symbol, name, levelUsd, circulatingSupply, extra]: Row): SandboxCoin {
  const platforms: SandboxCoin['platforms'] = {}
  for (const t of tokens.filter((t) => t.coinId === id)) {
    platforms[t.network === 'ethereum' ? 'ethereum' : 'base'] = { address: t.address, decimals: t.decimals }
  }
  for (const { mint, decimals } of solanaTokens.filter((t) => t.coinId === id))
    platforms['solana'] = { address: mint, decimals }
  for (const { address, decimals } of tronTokens.filter((t) => t.coinId === id))
    platforms['tron'] = { address, decimals }
  for (const { type, decimals } of suiCoins.filter((one) => one.coinId === id))
    platforms['sui'] = { address: type, decimals }
  for (const { address, decimals } of jettons.filter((one) => one.coinId === id))
    platforms['the-open-network'] = { address, decimals }
  for (const { unit, registered } of cardanoTokens.filter((one) => one.coinId === id))
    platforms['cardano'] = { address: unit, decimals: registered?.decimals ?? 0 }
  for (const { id: platform, denoms } of COSMOS_NETS)
    for (const { denom, decimals } of denoms.filter((one) => one.coinId === id))
      platforms[platform] = { address: denom, decimals }
  return {
    id,
    symbol,
    name,
    levelUsd,
    circulatingSupply,
    platforms,
    totalSupply: extra?.maxSupply ?? circulatingSupply,
    paprikaId: id.startsWith('llama:')
      ? null
      : `${symbol}-${
          id === 'binancecoin'
            ? 'binance-coin'
            : name
                .toLowerCase()
                .replace(/[^a-z0-9]+/g, '-')
                .replace(/-$/, '')
        }`,
    dailyVolatility: 0.022,
    beta: 1,
    aliasOf: null,
    stable: false,
    maxSupply: null,
    categories: ['Cryptocurrency'],
    listedDaysBefore: null,
    delistedDaysBefore: null,
    hasGaps: false,
    ...extra,
  }
}

/** Every coin of the sandbox: 200 that CoinGecko lists at some time, and 3 that only DefiLlama prices. */
export const coins: SandboxCoin[] = [...known, ...inventedCoins(200 - known.length), ...contractOnly].map(
  coin,
)
