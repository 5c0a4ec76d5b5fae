import type { AreaSpec } from '../area.ts'

/** Compute units of calls to Alchemy. Its pages of tokens cost 480. */
const ALCHEMY_UNITS: Record<string, number> = { getContractMetadata: 160, getFloorPrice: 80 }
export const alchemyUnits = (method: string): number => ALCHEMY_UNITS[method] ?? 480

/**
 * NFT collections, their tokens, offers and sales. CoinGecko, declared by the area `prices`, adds records.
 * The node of Solana, declared by the area `chain`, has its NFTs if it has the Digital Asset Standard.
 * Alchemy is the fallback when OpenSea has no key or fails.
 */
export const nftArea: AreaSpec = {
  name: 'nft',
  sources: [
    {
      name: 'opensea',
      meaning: 'NFT collections, tokens, offers, sales',
      sandbox: { path: '/opensea/api/v2', key: 'sandbox' },
      without: 'Alchemy answers if it has a key, with floor prices on Ethereum alone. No offers and no sales',
      urlVariable: 'OPENSEA_URL',
      defaultUrl: 'https://api.opensea.io/api/v2',
      keyMeaning:
        '`instant`: the worker makes a free key, which lasts seven days, and renews it. A key of the dashboard is free too and allows more',
      key: {
        variable: 'OPENSEA_API_KEY',
        gives: 'NFTs: collections, tokens, offers, sales. The value `instant` needs no account',
        from: 'https://docs.opensea.io/reference/api-keys',
        isRequired: true,
        // 600 reads in any hour.
        instant: { value: 'instant', requestsPerSecond: 0.16, burst: 20 },
      },
      requestsPerSecond: 1,
      burst: 5,
    },
    {
      name: 'alchemy-nft',
      meaning:
        'Descriptions and tokens of NFTs on networks that OpenSea lacks, such as BNB, and everywhere while OpenSea has no key or fails; floor prices on Ethereum alone. In its address, `{network}` stands for the name of the network; one without serves Ethereum alone',
      sandbox: { path: '/alchemy-nft/v3', key: 'sandbox-alchemy' },
      without: 'NFTs of networks that OpenSea lacks have only what their contracts say',
      urlVariable: 'ALCHEMY_NFT_URL',
      defaultUrl: 'https://{network}.g.alchemy.com/nft/v3',
      key: {
        variable: 'ALCHEMY_API_KEY',
        gives: 'NFTs on BNB and others that OpenSea lacks, and everywhere when OpenSea has no key or fails',
        from: 'https://dashboard.alchemy.com',
        isRequired: true,
      },
      // One page of tokens uses most of the free plan's budget for a second.
      requestsPerSecond: 1,
      burst: 2,
      nodeCost: alchemyUnits,
    },
    {
      name: 'ipfs',
      meaning: 'Metadata and pictures of NFTs on IPFS',
      sandbox: { path: '/ipfs-gateway' },
      without: 'NFTs with metadata on IPFS have neither traits nor pictures',
      urlVariable: 'IPFS_GATEWAY_URL',
      defaultUrl: 'https://ipfs.io',
      requestsPerSecond: 2,
      burst: 5,
    },
    {
      name: 'metadata-proxy',
      meaning:
        'Proxy that fetches `{proxy}/{host}/{path}` for NFT metadata on other hosts; without it, only IPFS and data URIs are read',
      sandbox: { path: '/nft-metadata' },
      without: 'NFTs with metadata on other web hosts have neither traits nor pictures',
      urlVariable: 'NFT_METADATA_PROXY_URL',
      // A contract can name any host, so such hosts are read only through the operator's proxy.
      defaultUrl: null,
      requestsPerSecond: 5,
      burst: 10,
    },
  ],
  questions: async () => (await import('./questions.ts')).nftQuestions,
  requests: async () => (await import('./requests.ts')).nftRequests,
  schedules: [
    // Runs often to find collections that wallets hold; reads each collection at most every 25 minutes.
    // Sales are valued at the prices of their hours.
    {
      id: 'refresh-nfts',
      workflow: 'refreshNfts',
      everySeconds: 300,
      jitterSeconds: 30,
      input: null,
      sources: ['opensea', 'alchemy-nft', 'ipfs', 'metadata-proxy', 'coingecko', 'solana'],
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
    'nft_floor_days',
    'nft_holdings',
    'nft_holding_reads',
  ],
  rereads: ['discoverCollections'],
  freshnessTargetSeconds: 3600,
}
