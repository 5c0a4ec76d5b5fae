import { z } from 'zod'
import { readCollection } from '../../db/nft/read-collections.ts'
import { notFound } from '../errors.ts'
import { defineRoute } from '../route.ts'
import { collectionSchema, toCollection } from './collection.ts'
import { nftAddressParam } from './nft-address.ts'

export const collectionAddressParam = () =>
  nftAddressParam('Contract address of an NFT collection; on Solana its account').meta({
    example: '0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d',
  })
export const collectionNotFound = (address: string) => notFound(`NFT collection '${address}' not found`)

export const getNftCollection = defineRoute({
  method: 'GET',
  path: '/nft/collection/{collectionAddress}',
  tag: 'NFTs',
  summary: 'One NFT collection with its figures',
  description:
    'Prices are in the main currency (`mainCurrencyId`), except fields with Usd in their name. A field is absent when no source fills it. Changes over 7 or 30 days appear once the service has stored that much history.',
  pathParams: z.object({ collectionAddress: collectionAddressParam() }),
  response: collectionSchema,
  credits: 3,
  plan: 'any',
  x402: null,
  mayLag: true,
  shared: {
    reads: ['coin_quotes', 'networks', 'nft_collections', 'nft_gecko_records', 'nft_points', 'tokens'],
  },
  async handler({ path: { collectionAddress } }, { db }) {
    const row = await readCollection(db, collectionAddress)
    if (!row) throw collectionNotFound(collectionAddress)
    return { body: toCollection(row), asOf: row.asOf }
  },
})
