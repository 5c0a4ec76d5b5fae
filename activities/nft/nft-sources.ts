import { COINGECKO } from '../coingecko.ts'
import { SOLANA } from '../nodes/solana-call.ts'
import type { ActivityDeps } from '../deps.ts'
import type { SourceConfig } from '../ingest-config.ts'
import { openSeaKeys } from './instant-keys.ts'
import { ALCHEMY_NFT, createAlchemyNft } from './sources/alchemy-nft.ts'
import { createCoinGeckoNfts } from './sources/coingecko.ts'
import { createDas } from './sources/das.ts'
import { createIpfs, IPFS } from './sources/ipfs.ts'
import { createMetadataProxy, METADATA_PROXY } from './sources/metadata-proxy.ts'
import { createOpenSea, OPENSEA, type OpenSea } from './sources/opensea.ts'

/** The value of OPENSEA_API_KEY with which the worker makes keys for itself. */
const INSTANT = 'instant'

/** Adapters of the NFT sources; null: the source is off. Keys of the worker's own need a database. */
export function createNftSources({
  http,
  config,
  now,
  pool,
}: Pick<ActivityDeps, 'http' | 'config' | 'now'> & { pool?: ActivityDeps['pool'] }) {
  const opensea = openSeaOf(config.sources[OPENSEA])
  const alchemy = config.sources[ALCHEMY_NFT]
  const gecko = config.sources[COINGECKO]
  const ipfs = config.sources[IPFS]
  const proxy = config.sources[METADATA_PROXY]
  const solana = config.sources[SOLANA]

  function openSeaOf(source: SourceConfig | undefined): OpenSea | null {
    if (!source) return null
    const { url, key } = source
    if (key !== INSTANT) return createOpenSea({ http, url, key })
    return pool ? createOpenSea({ http, url, key: openSeaKeys({ pool, http, url, now }) }) : null
  }

  return {
    opensea,
    /** fallback when OpenSea has no key or fails */
    alchemy: alchemy ? createAlchemyNft({ http, ...alchemy }) : null,
    /** of Solana; a node may lack its API */
    das: solana ? createDas({ http, url: solana.url }) : null,
    coingecko: gecko ? createCoinGeckoNfts({ http, ...gecko, now }) : null,
    ipfs: ipfs ? createIpfs({ http, url: ipfs.url }) : null,
    metadataProxy: proxy ? createMetadataProxy({ http, url: proxy.url }) : null,
    /** base URL for pictures on IPFS */
    ipfsGatewayUrl: ipfs?.url ?? 'https://ipfs.io',
  }
}

export type NftSources = ReturnType<typeof createNftSources>
