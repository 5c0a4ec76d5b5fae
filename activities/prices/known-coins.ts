/**
 * Coins that need no list of a source to be known: the id here, which is CoinGecko's, the symbol, and the names
 * under which sources list it. Wallets refer to native coins by these ids, and exchanges name markets by these
 * symbols. Symbol and name are compared together, since neither is unique.
 */
const KNOWN: readonly (readonly [coinId: string, symbol: string, ...names: string[]])[] = [
  ['bitcoin', 'BTC', 'Bitcoin'],
  ['ethereum', 'ETH', 'Ethereum'],
  ['tether', 'USDT', 'Tether', 'Tether USDt'],
  ['binancecoin', 'BNB', 'BNB', 'Binance Coin'],
  ['ripple', 'XRP', 'XRP', 'Ripple'],
  ['solana', 'SOL', 'Solana'],
  ['usd-coin', 'USDC', 'USDC', 'USD Coin'],
  ['dogecoin', 'DOGE', 'Dogecoin'],
  ['tron', 'TRX', 'TRON'],
  ['cardano', 'ADA', 'Cardano'],
  ['staked-ether', 'STETH', 'Lido Staked Ether', 'Lido Staked ETH'],
  ['wrapped-bitcoin', 'WBTC', 'Wrapped Bitcoin'],
  ['wrapped-steth', 'WSTETH', 'Wrapped stETH', 'Lido wstETH', 'Wrapped Liquid Staked Ether 2.0'],
  ['weth', 'WETH', 'WETH', 'Wrapped Ether'],
  ['hyperliquid', 'HYPE', 'Hyperliquid'],
  ['bitcoin-cash', 'BCH', 'Bitcoin Cash'],
  ['chainlink', 'LINK', 'Chainlink'],
  ['leo-token', 'LEO', 'LEO Token', 'UNUS SED LEO'],
  ['stellar', 'XLM', 'Stellar'],
  ['monero', 'XMR', 'Monero'],
  ['zcash', 'ZEC', 'Zcash'],
  ['litecoin', 'LTC', 'Litecoin'],
  ['hedera-hashgraph', 'HBAR', 'Hedera', 'Hedera Hashgraph'],
  ['avalanche-2', 'AVAX', 'Avalanche'],
  ['sui', 'SUI', 'Sui'],
  ['shiba-inu', 'SHIB', 'Shiba Inu'],
  ['dai', 'DAI', 'Dai'],
  ['usds', 'USDS', 'USDS'],
  ['ethena-usde', 'USDE', 'Ethena USDe', 'USDe'],
  ['the-open-network', 'TON', 'Toncoin'],
  ['crypto-com-chain', 'CRO', 'Cronos', 'Crypto.com Coin', 'Cronos (prev. Crypto.com Coin)'],
  ['polkadot', 'DOT', 'Polkadot'],
  ['uniswap', 'UNI', 'Uniswap'],
  ['mantle', 'MNT', 'Mantle'],
  ['bitget-token', 'BGB', 'Bitget Token'],
  ['okb', 'OKB', 'OKB'],
  ['aave', 'AAVE', 'Aave'],
  ['near', 'NEAR', 'NEAR Protocol'],
  ['ethereum-classic', 'ETC', 'Ethereum Classic'],
  ['pepe', 'PEPE', 'Pepe'],
  ['internet-computer', 'ICP', 'Internet Computer'],
  ['aptos', 'APT', 'Aptos'],
  ['ondo-finance', 'ONDO', 'Ondo', 'Ondo Finance'],
  ['polygon-ecosystem-token', 'POL', 'POL (ex-MATIC)', 'Polygon Ecosystem Token', 'POL'],
  ['arbitrum', 'ARB', 'Arbitrum'],
  ['optimism', 'OP', 'Optimism'],
  ['vechain', 'VET', 'VeChain'],
  ['cosmos', 'ATOM', 'Cosmos', 'Cosmos Hub'],
  ['filecoin', 'FIL', 'Filecoin'],
  ['algorand', 'ALGO', 'Algorand'],
  ['render-token', 'RENDER', 'Render'],
  ['ethena', 'ENA', 'Ethena'],
  ['worldcoin-wld', 'WLD', 'Worldcoin'],
  ['kaspa', 'KAS', 'Kaspa'],
  ['bittensor', 'TAO', 'Bittensor'],
  ['celestia', 'TIA', 'Celestia'],
  ['sei-network', 'SEI', 'Sei'],
  ['blockstack', 'STX', 'Stacks'],
  ['injective-protocol', 'INJ', 'Injective', 'Injective Protocol'],
  ['immutable-x', 'IMX', 'Immutable', 'ImmutableX', 'Immutable X'],
  ['the-graph', 'GRT', 'The Graph'],
  ['lido-dao', 'LDO', 'Lido DAO'],
  ['maker', 'MKR', 'Maker'],
  ['sky', 'SKY', 'Sky'],
  ['compound-governance-token', 'COMP', 'Compound'],
  ['curve-dao-token', 'CRV', 'Curve DAO', 'Curve DAO Token'],
  ['havven', 'SNX', 'Synthetix', 'Synthetix Network Token'],
  ['quant-network', 'QNT', 'Quant'],
  ['fetch-ai', 'FET', 'Artificial Superintelligence Alliance', 'Fetch.ai'],
  ['gala', 'GALA', 'GALA', 'Gala'],
  ['the-sandbox', 'SAND', 'The Sandbox'],
  ['decentraland', 'MANA', 'Decentraland'],
  ['axie-infinity', 'AXS', 'Axie Infinity'],
  ['apecoin', 'APE', 'ApeCoin'],
  ['flow', 'FLOW', 'Flow'],
  ['tezos', 'XTZ', 'Tezos'],
  ['eos', 'EOS', 'EOS'],
  ['iota', 'IOTA', 'IOTA'],
  ['neo', 'NEO', 'NEO', 'Neo'],
  ['theta-token', 'THETA', 'Theta Network'],
  ['elrond-erd-2', 'EGLD', 'MultiversX', 'Elrond'],
  ['fantom', 'FTM', 'Fantom'],
  ['sonic-3', 'S', 'Sonic'],
  ['thorchain', 'RUNE', 'THORChain'],
  ['pancakeswap-token', 'CAKE', 'PancakeSwap'],
  ['gmx', 'GMX', 'GMX'],
  ['pendle', 'PENDLE', 'Pendle'],
  ['jupiter-exchange-solana', 'JUP', 'Jupiter'],
  ['raydium', 'RAY', 'Raydium'],
  ['pyth-network', 'PYTH', 'Pyth Network'],
  ['jito-governance-token', 'JTO', 'Jito'],
  ['bonk', 'BONK', 'Bonk'],
  ['dogwifcoin', 'WIF', 'dogwifhat'],
  ['floki', 'FLOKI', 'FLOKI', 'Floki'],
  ['gnosis', 'GNO', 'Gnosis'],
  ['dash', 'DASH', 'Dash'],
  ['bitcoin-cash-sv', 'BSV', 'Bitcoin SV'],
  ['ecash', 'XEC', 'eCash'],
  ['pax-gold', 'PAXG', 'PAX Gold'],
  ['tether-gold', 'XAUT', 'Tether Gold'],
  ['first-digital-usd', 'FDUSD', 'First Digital USD'],
  ['paypal-usd', 'PYUSD', 'PayPal USD'],
  ['true-usd', 'TUSD', 'TrueUSD'],
  ['frax', 'FRAX', 'Frax', 'Legacy Frax Dollar'],
  ['rocket-pool-eth', 'RETH', 'Rocket Pool ETH'],
  ['coinbase-wrapped-btc', 'CBBTC', 'Coinbase Wrapped BTC'],
  ['coinbase-wrapped-staked-eth', 'CBETH', 'Coinbase Wrapped Staked ETH'],
  ['mina-protocol', 'MINA', 'Mina', 'Mina Protocol'],
  ['starknet', 'STRK', 'Starknet'],
  ['zksync', 'ZK', 'ZKsync', 'zkSync'],
  ['scroll', 'SCR', 'Scroll'],
  ['linea', 'LINEA', 'Linea'],
  ['monad', 'MON', 'Monad'],
  ['plasma', 'XPL', 'Plasma'],
  ['berachain-bera', 'BERA', 'Berachain'],
  ['movement', 'MOVE', 'Movement'],
  ['ethereum-name-service', 'ENS', 'Ethereum Name Service'],
  ['1inch', '1INCH', '1inch', '1inch Network'],
  ['basic-attention-token', 'BAT', 'Basic Attention', 'Basic Attention Token'],
  ['chiliz', 'CHZ', 'Chiliz'],
  ['dydx-chain', 'DYDX', 'dYdX'],
  ['official-trump', 'TRUMP', 'Official Trump', 'OFFICIAL TRUMP'],
  ['pump-fun', 'PUMP', 'Pump.fun'],
]

export interface KnownCoin {
  coinId: string
  symbol: string
  name: string
}

export const KNOWN_COINS: readonly KnownCoin[] = KNOWN.map(([coinId, symbol, name]) => ({
  coinId,
  symbol,
  name: name!,
}))

/** Symbol and name without what lists write differently. */
export const identityOf = ({ symbol, name }: { symbol: string; name: string }): string =>
  `${symbol.toUpperCase()} ${name.toLowerCase().replace(/[^a-z0-9]+/g, '')}`

const IDS = new Map(
  KNOWN.flatMap(([coinId, symbol, ...names]) =>
    names.map((name) => [identityOf({ symbol, name }), coinId] as const),
  ),
)

/** The id of a coin that every installation knows; null: it is none of them. */
export const knownIdOf = (coin: { symbol: string; name: string }): string | null =>
  IDS.get(identityOf(coin)) ?? null

/** The symbol under which exchanges list a known coin; null: unknown, its symbol may be that of another coin. */
export const marketSymbolOf = (coinId: string): string | null =>
  KNOWN_COINS.find((coin) => coin.coinId === coinId)?.symbol ?? null
