import { z } from 'zod'
import { readAsset, readAssetCollection } from '../../db/nft/read-assets.ts'
import { notFound } from '../errors.ts'
import { defineRoute } from '../route.ts'
import { assetSchema, storedTokenId, toAsset, tokenIdParam } from './asset.ts'
import { collectionAddressParam, collectionNotFound } from './get-collection.ts'

export const getNftAsset = defineRoute({
  method: 'GET',
  path: '/nft/{collectionAddress}/asset/{tokenId}',
  tag: 'NFTs',
  summary: 'One token of an NFT collection',
  pathParams: z.object({ collectionAddress: collectionAddressParam(), tokenId: tokenIdParam() }),
  response: assetSchema,
  credits: 5,
  plan: 'any',
  x402: null,
  mayLag: true,
  shared: { reads: ['networks', 'nft_assets', 'nft_collections', 'nft_sales', 'nft_traits'] },
  async handler({ path: { collectionAddress, tokenId } }, { db }) {
    const collection = await readAssetCollection(db, collectionAddress)
    if (!collection) throw collectionNotFound(collectionAddress)
    const stored = storedTokenId({ ...collection, tokenId })
    const row = stored === null ? undefined : await readAsset(db, { ...collection, tokenId: stored })
    if (!row) throw notFound(`NFT '${tokenId}' of '${collectionAddress}' not found`)
    return { body: toAsset(row), asOf: collection.readAt }
  },
})
