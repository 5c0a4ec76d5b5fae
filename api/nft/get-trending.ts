import { z } from 'zod'
import { readTrending } from '../../db/nft/read-collections.ts'
import { limit, page } from '../params.ts'
import { defineRoute } from '../route.ts'
import { oldest, pageMeta, pageMetaSchema } from '../shapes.ts'
import { collectionSchema, toCollection } from './collection.ts'

export const getTrendingNfts = defineRoute({
  method: 'GET',
  path: '/nft/trending',
  tag: 'NFTs',
  summary: 'The NFT collections most traded in a day',
  query: z.object({ page: page(), limit: limit() }),
  response: z.object({ meta: pageMetaSchema, data: z.array(collectionSchema) }),
  credits: 2,
  plan: 'any',
  x402: null,
  mayLag: true,
  shared: {
    reads: ['coin_quotes', 'networks', 'nft_collections', 'nft_gecko_records', 'nft_points', 'tokens'],
  },
  async handler({ query: { page: number, limit: size } }, { db }) {
    const { rows, itemCount } = await readTrending(db, { limit: size, offset: (number - 1) * size })
    return {
      body: { meta: pageMeta({ page: number, limit: size, itemCount }), data: rows.map(toCollection) },
      asOf: oldest(rows.map(({ asOf }) => asOf)),
    }
  },
})
