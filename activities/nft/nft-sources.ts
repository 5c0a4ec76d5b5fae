import { COINGECKO } from '../coingecko.ts'
import type { ActivityDeps } from '../deps.ts'
import { ALCHEMY_NFT, createAlchemyNft } from './sources/alchemy-nft.ts'
import { createCoinGeckoNfts } from './sources/coingecko.ts'
import { createIpfs, IPFS } from './sources/ipfs.ts'
import { createMetadataProxy, METADATA_PROXY } from './sources/metadata-proxy.ts'
import { createOpenSea, OPENSEA } from './sources/opensea.ts'

/** Adapters of the NFT sources; null: the source is off */
export function createNftSources({ http, config }: Pick<ActivityDeps, 'http' | 'config'>) {
  const opensea = config.sources[OPENSEA]
  const alchemy = config.sources[ALCHEMY_NFT]
  const gecko = config.sources[COINGECKO]
  const ipfs = config.sources[IPFS]
  const proxy = config.sources[METADATA_PROXY]
  return {
    opensea: opensea ? createOpenSea({ http, ...opensea }) : null,
    /** fallback when OpenSea has no key or fails */
    alchemy: alchemy ? createAlchemyNft({ http, ...alchemy }) : null,
    coingecko: gecko ? createCoinGeckoNfts({ http, ...gecko }) : null,
    ipfs: ipfs ? createIpfs({ http, url: ipfs.url }) : null,
    metadataProxy: proxy ? createMetadataProxy({ http, url: proxy.url }) : null,
    /** base URL for pictures on IPFS */
    ipfsGatewayUrl: ipfs?.url ?? 'https://ipfs.io',
  }
}

export type NftSources = ReturnType<typeof createNftSources>
