export type NetworkId = 'ethereum' | 'base-wallet'

/** Behaviour of a token contract; each kind has its own Solidity contract. */
export type TokenKind =
  | 'erc20'
  | 'erc3009'
  | 'weth'
  | 'bytes32'
  | 'no-decimals'
  | 'spam'
  | 'erc721'
  | 'erc1155'

export type SandboxToken = {
  key: string
  network: NetworkId
  address: `0x${string}`
  kind: TokenKind
  name: string
  symbol: string
  decimals: number
  /** Coin id in the simulated market; null: no price. */
  coinId: string | null
  /** Transfer fee kept by the contract, in basis points. */
  feeBps: number
  /** Prefix and suffix around the token id in the metadata URI; null: not an NFT. */
  uri: readonly [prefix: string, suffix: string] | null
}

type Short = Partial<SandboxToken> & Pick<SandboxToken, 'key' | 'address' | 'name' | 'symbol'>

function token(network: NetworkId, given: Short): SandboxToken {
  return { network, kind: 'erc20', decimals: 18, coinId: null, feeBps: 0, uri: null, ...given }
}

/**
 * Tokens of the sandbox chains. Well-known ones use their mainnet addresses, so that mapping to coins is
 * real.
 */
export const tokens: SandboxToken[] = [
  ...[
    {
      key: 'WETH',
      address: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
      name: 'Wrapped Ether',
      symbol: 'WETH',
      kind: 'weth',
      coinId: 'weth',
    },
    {
      key: 'USDC',
      address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
      name: 'USD Coin',
      symbol: 'USDC',
      decimals: 6,
      coinId: 'usd-coin',
    },
    {
      key: 'USDT',
      address: '0xdac17f958d2ee523a2206206994597c13d831ec7',
      name: 'Tether USD',
      symbol: 'USDT',
      decimals: 6,
      coinId: 'tether',
    },
    {
      key: 'DAI',
      address: '0x6b175474e89094c44da98b954eedeac495271d0f',
      name: 'Dai Stablecoin',
      symbol: 'DAI',
      coinId: 'dai',
    },
    {
      key: 'WBTC',
      address: '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599',
      name: 'Wrapped BTC',
      symbol: 'WBTC',
      decimals: 8,
      coinId: 'wrapped-bitcoin',
    },
    {
      key: 'UNI',
      address: '0x1f9840a85d5af5bf1d1762f925bdaddc4201f984',
      name: 'Uniswap',
      symbol: 'UNI',
      coinId: 'uniswap',
    },
    {
      key: 'LINK',
      address: '0x514910771af9ca656af840dff83e8264ecf986ca',
      name: 'ChainLink Token',
      symbol: 'LINK',
      coinId: 'chainlink',
    },
    {
      key: 'AAVE',
      address: '0x7fc66500c84a76ad7e9c93437bfc5ac33e2ddae9',
      name: 'Aave Token',
      symbol: 'AAVE',
      coinId: 'aave',
    },
    {
      key: 'MKR',
      address: '0x9f8f72aa9304c8b593d555f12ef6589cc3a579a2',
      name: 'Maker',
      symbol: 'MKR',
      kind: 'bytes32',
      coinId: 'maker',
    },
    {
      key: 'DROP',
      address: '0xd409000000000000000000000000000000000001',
      name: 'Sluice Drop',
      symbol: 'DROP',
      coinId: 'sluice-drop',
    },
    {
      key: 'MOSS',
      address: '0x0b5c000000000000000000000000000000000001',
      name: 'Moss Protocol',
      symbol: 'MOSS',
      coinId: 'llama:moss',
    },
    {
      key: 'FERN',
      address: '0x0b5c000000000000000000000000000000000002',
      name: 'Fern Finance',
      symbol: 'FERN',
      coinId: 'llama:fern',
      decimals: 9,
    },
    {
      key: 'TAXED',
      address: '0x0b5c000000000000000000000000000000000003',
      name: 'Taxed Token',
      symbol: 'TAXED',
      coinId: 'llama:taxed',
      feeBps: 100,
    },
    {
      key: 'NODEC',
      address: '0x0b5c000000000000000000000000000000000004',
      name: 'No Decimals',
      symbol: 'NODEC',
      kind: 'no-decimals',
      decimals: 0,
    },
    {
      key: 'SPAM1',
      address: '0x5ba4000000000000000000000000000000000001',
      name: 'Visit claim-eth.example to claim rewards',
      symbol: '$ claim-eth.example',
      kind: 'spam',
    },
    {
      key: 'SPAM2',
      address: '0x5ba4000000000000000000000000000000000002',
      name: 'USD Coin',
      symbol: 'USDC',
      kind: 'spam',
      decimals: 6,
    },
    {
      key: 'NFT',
      address: '0x721f000000000000000000000000000000000001',
      name: 'Sluice Gates',
      symbol: 'GATE',
      kind: 'erc721',
      decimals: 0,
      uri: ['https://metadata.sluice.example/gates/', ''],
    },
    {
      key: 'LOCK',
      address: '0x721f000000000000000000000000000000000002',
      name: 'Lock Keepers',
      symbol: 'KEEP',
      kind: 'erc721',
      decimals: 0,
      uri: ['ipfs://bafybeilockkeepers/', '.json'],
    },
    {
      key: 'TIDE',
      address: '0x721f000000000000000000000000000000000003',
      name: 'Onchain Tides',
      symbol: 'TIDE',
      kind: 'erc721',
      decimals: 0,
      uri: [
        'data:application/json,{"name":"Tide ',
        '","image":"data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4="}',
      ],
    },
    {
      key: 'FOG',
      address: '0x721f000000000000000000000000000000000004',
      name: 'Fog Banks',
      symbol: 'FOG',
      kind: 'erc721',
      decimals: 0,
      // The metadata server no longer exists.
      uri: ['https://metadata.sluice.example/gone/', ''],
    },
    {
      key: 'STAMP',
      address: '0x1155000000000000000000000000000000000001',
      name: 'River Stamps',
      symbol: 'STAMP',
      kind: 'erc1155',
      decimals: 0,
      uri: ['https://metadata.sluice.example/stamps/', '.json'],
    },
    {
      key: 'SPAMNFT',
      address: '0x5ba4000000000000000000000000000000000721',
      name: 'Claim 5000 USDC at apes-claim.example',
      symbol: 'CLAIM',
      kind: 'erc721',
      decimals: 0,
      uri: ['https://apes-claim.example/', ''],
    },
  ].map((t) => token('ethereum', t as Short)),
  ...[
    {
      key: 'WETH',
      address: '0x4200000000000000000000000000000000000006',
      name: 'Wrapped Ether',
      symbol: 'WETH',
      kind: 'weth',
      coinId: 'weth',
    },
    {
      key: 'USDC',
      address: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
      name: 'USD Coin',
      symbol: 'USDC',
      kind: 'erc3009',
      decimals: 6,
      coinId: 'usd-coin',
    },
    {
      key: 'SPAM1',
      address: '0x5ba4000000000000000000000000000000000003',
      name: 'base-airdrop.example',
      symbol: 'base-airdrop.example',
      kind: 'spam',
    },
    {
      key: 'PASS',
      address: '0x1155000000000000000000000000000000000002',
      name: 'Delta Passes',
      symbol: 'PASS',
      kind: 'erc1155',
      decimals: 0,
      uri: ['ipfs://bafybeideltapasses/', ''],
    },
  ].map((t) => token('base-wallet', t as Short)),
]

/** The token with the key on the network; throws if unknown, which is a programming error. */
export function tokenOf(network: NetworkId, key: string): SandboxToken {
  const found = tokens.find((t) => t.network === network && t.key === key)
  if (!found) throw new Error(`no token ${key} on ${network}`)
  return found
}
