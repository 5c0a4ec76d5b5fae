import type { Route } from '../route.ts'
import { getNftAsset } from './get-asset.ts'
import { getCollectionAssets } from './get-collection-assets.ts'
import { getNftCollection } from './get-collection.ts'
import { getTrendingNfts } from './get-trending.ts'
import { getWalletAssets } from './get-wallet-assets.ts'

export const nftRoutes: readonly Route[] = [
  getWalletAssets,
  getNftCollection,
  getTrendingNfts,
  getCollectionAssets,
  getNftAsset,
]
