import { z } from 'zod'
import type { AssetRow } from '../../db/nft/read-assets.ts'
import { param } from '../params.ts'
import { toNumber } from '../shapes.ts'
import { collectionId } from './collection-id.ts'

const UINT256 = 2n ** 256n

/** Id of a token: a number below 2^256. */
export const tokenIdParam = () =>
  param((text) => (/^(0|[1-9]\d{0,77})$/.test(text) && BigInt(text) < UINT256 ? text : undefined), {
    pattern: '^(0|[1-9][0-9]{0,77})$',
    description: 'Token id, a decimal number below 2^256',
  })

export const assetSchema = z.object({
  address: z.string().describe('Contract'),
  blockchain: z.string(),
  tokenId: z.string(),
  collectionId: z.string(),
  name: z.string().nullable(),
  previewUrl: z.string().describe('Empty when unknown'),
  url: z.string().describe('Page at the marketplace, else at the explorer'),
  source: z.string().describe('Who described it: the marketplace, or a node for what its contract says'),
  standard: z.string().describe('erc721 or erc1155'),
  rarityRank: z.number().int().describe('1: the rarest; 0: unknown'),
  rarityScore: z.number().describe('Information content of its traits in bits; 0: unknown'),
  attributes: z.array(
    z.object({
      key: z.string(),
      kind: z.string(),
      value: z.string(),
      tokenCount: z.number().int().describe('Tokens of the collection that have it'),
      onSaleCount: z.number().int().describe('Of those, on sale'),
      floorAskPrice: z.number().nullable().describe('Cheapest offer of one that has it, main currency'),
      topBidValue: z.number().nullable().describe('No source of bids: always null'),
      createdAt: z.iso.datetime().describe('When it was first seen'),
    }),
  ),
  lastSaleDate: z.iso.datetime().optional(),
  lastSalePrice: z
    .number()
    .optional()
    .describe('Main currency of the collection, at the instant of the sale'),
  listSource: z.string().optional(),
  listPrice: z.number().optional().describe('Cheapest offer, main currency of the collection'),
})

export function toAsset(row: AssetRow): z.infer<typeof assetSchema> {
  const { address, blockchain, tokenId, name, source, standard } = row
  return {
    address,
    blockchain,
    tokenId,
    name,
    source,
    standard,
    collectionId: collectionId(row),
    previewUrl: row.imageUrl ?? '',
    url: row.url ?? `${row.explorerUrl}/token/${address}?a=${tokenId}`,
    rarityRank: row.rarityRank ?? 0,
    rarityScore: toNumber(row.rarityScore ?? '0'),
    attributes: row.traits.map(({ floorAskPrice, createdAt, ...trait }) => ({
      ...trait,
      floorAskPrice: floorAskPrice === null ? null : toNumber(floorAskPrice),
      topBidValue: null,
      createdAt: new Date(createdAt).toISOString(),
    })),
    ...(row.lastSaleAt && { lastSaleDate: row.lastSaleAt.toISOString() }),
    ...(row.lastSalePrice !== null && { lastSalePrice: toNumber(row.lastSalePrice) }),
    ...(row.listSource !== null && { listSource: row.listSource }),
    ...(row.listPrice !== null && { listPrice: toNumber(row.listPrice) }),
  }
}
