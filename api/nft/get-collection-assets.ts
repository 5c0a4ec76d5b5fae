import { z } from 'zod'
import { readAssetCollection, readAssets } from '../../db/nft/read-assets.ts'
import { enumParam, limit, page } from '../params.ts'
import { defineRoute } from '../route.ts'
import { pageMeta, pageMetaSchema } from '../shapes.ts'
import { assetSchema, toAsset } from './asset.ts'
import { collectionAddressParam, collectionNotFound } from './get-collection.ts'

export const getCollectionAssets = defineRoute({
  method: 'GET',
  path: '/nft/{collectionAddress}/assets',
  tag: 'NFTs',
  summary: 'The tokens of an NFT collection',
  description:
    '`all` returns all known tokens by token id. `listed` returns the tokens on sale when offers were last read, cheapest first.',
  pathParams: z.object({ collectionAddress: collectionAddressParam() }),
  query: z.object({ page: page(), limit: limit(), type: enumParam(['listed', 'all']).default('all') }),
  response: z.object({ meta: pageMetaSchema, data: z.array(assetSchema) }),
  credits: 8,
  plan: 'any',
  x402: null,
  mayLag: true,
  shared: { reads: ['networks', 'nft_assets', 'nft_collections', 'nft_sales', 'nft_traits'] },
  async handler({ path: { collectionAddress }, query: { page: number, limit: size, type } }, { db }) {
    const collection = await readAssetCollection(db, collectionAddress)
    if (!collection) throw collectionNotFound(collectionAddress)
    const isListed = type === 'listed'
    const rows = await readAssets(db, { ...collection, isListed, limit: size, offset: (number - 1) * size })
    const itemCount = isListed ? collection.listedAssets : collection.assetsCount
    return {
      body: { meta: pageMeta({ page: number, limit: size, itemCount }), data: rows.map(toAsset) },
      asOf: collection.readAt,
    }
  },
})
