import type { AreaSpec } from '../area.ts'

/**
 * NFT collections, their tokens, offers and sales. CoinGecko, declared by the prices, adds what it says of collections.
 * Alchemy is asked where OpenSea has no key or fails.
 */
export const nftArea: AreaSpec = {
  name: 'nft',
  sources: [
    {
      name: 'opensea',
      meaning: 'NFT collections, tokens, offers, sales',
      sandbox: { path: '/opensea/api/v2', key: 'sandbox' },
      urlVariable: 'OPENSEA_URL',
      defaultUrl: 'https://api.opensea.io/api/v2',
      keyVariable: 'OPENSEA_API_KEY',
      keyRequired: true,
      requestsPerSecond: 1,
      burst: 5,
    },
    {
      name: 'alchemy-nft',
      meaning:
        'NFTs on Ethereum, the alternative: descriptions, tokens, floor prices where OpenSea has no key or fails',
      sandbox: { path: '/alchemy-nft/v3', key: 'sandbox-alchemy' },
      urlVariable: 'ALCHEMY_NFT_URL',
      defaultUrl: 'https://eth-mainnet.g.alchemy.com/nft/v3',
      keyVariable: 'ALCHEMY_API_KEY',
      keyRequired: true,
      // A page of tokens takes most of what the free plan gives in a second.
      requestsPerSecond: 1,
      burst: 2,
    },
    {
      name: 'ipfs',
      meaning: 'Metadata and pictures of NFTs on IPFS',
      sandbox: { path: '/ipfs-gateway' },
      urlVariable: 'IPFS_GATEWAY_URL',
      defaultUrl: 'https://ipfs.io',
      keyVariable: null,
      keyRequired: false,
      requestsPerSecond: 2,
      burst: 5,
    },
    {
      name: 'metadata-proxy',
      meaning:
        'Proxy that fetches `{proxy}/{host}/{path}` for metadata on hosts that NFT contracts name; without one only IPFS and data addresses are read',
      sandbox: { path: '/nft-metadata' },
      urlVariable: 'NFT_METADATA_PROXY_URL',
      // Contracts name hosts of anybody's choice: those are asked through a proxy of the operator or not at all.
      defaultUrl: null,
      keyVariable: null,
      keyRequired: false,
      requestsPerSecond: 5,
      burst: 10,
    },
  ],
  questions: async () => (await import('./questions.ts')).nftQuestions,
  schedules: [
    // Looks often for collections that wallets brought; of each it reads what is due, at most every 25 minutes.
    // Sales are valued with the prices of their hours.
    {
      id: 'refresh-nfts',
      workflow: 'refreshNfts',
      everySeconds: 300,
      jitterSeconds: 30,
      input: null,
      after: ['backfill-prices'],
    },
  ],
  tables: [
    'nft_collections',
    'nft_points',
    'nft_gecko_records',
    'nft_assets',
    'nft_traits',
    'nft_listings',
    'nft_sales',
  ],
  rereads: ['discoverCollections'],
  freshnessTargetSeconds: 3600,
}
