import type { Mount } from '../server.ts'
import type { World } from '../world.ts'
import { createAlchemyNft } from './alchemy-nft.ts'
import { createCoinGeckoNfts } from './coingecko-nfts.ts'
import { createNftMetadata } from './nft-metadata.ts'
import { createNftWorld } from './nft-world.ts'
import { createOpenSea } from './opensea.ts'

export function nftMounts(world: World): Mount[] {
  const nfts = createNftWorld(world)
  return [
    { base: '/coingecko/api/v3/nfts', upstream: createCoinGeckoNfts(nfts) },
    { base: '/opensea/api/v2', upstream: createOpenSea(nfts) },
    { base: '/alchemy-nft/v3', upstream: createAlchemyNft(nfts) },
    { base: '/ipfs-gateway', upstream: createNftMetadata() },
    { base: '/nft-metadata', upstream: createNftMetadata() },
  ]
}
