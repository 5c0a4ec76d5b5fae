import { z } from 'zod'
import {
  type HeldCollection,
  type HeldToken,
  readHeldCollections,
  readHeldTokens,
} from '../../db/nft/read-wallet.ts'
import { readHoldingsRead } from '../../db/nft/wallet-holdings.ts'
import { decimal, multiply, sum, toNumber as nearestDouble } from '../../db/values/decimal.ts'
import { badRequest, invalidParameter } from '../errors.ts'
import { blockchains, connectionIds, fitsNetworks, pricedNetworks } from '../networks.ts'
import { limit, page } from '../params.ts'
import { defineRoute } from '../route.ts'
import { oldest, pageMeta, toNumber, walletPageMetaSchema } from '../shapes.ts'
import { nameOfPending, readableWallets } from '../chain/synced-wallets.ts'
import { tokenIdOf } from './asset.ts'
import { collectionId } from './collection-id.ts'
import { nftAddressParam } from './nft-address.ts'

const group = z.object({
  name: z.string(),
  logo: z.string().describe('Empty when unknown'),
  address: z
    .string()
    .describe(
      'Contract address; on Solana the account of the collection, or of the token if it has no verified collection',
    ),
  floorPrice: z.number().describe('Floor price of one token in USD; 0 when unknown'),
  totalFloorPrice: z.number().describe('Floor price times the copies held, in USD; 0 when unknown'),
  totalLastSalePrice: z
    .number()
    .describe('Sum of the last sale prices of all copies held, in USD at the time of each sale'),
  id: z.string(),
  assetsCount: z.number().int().describe('Number of distinct tokens'),
  blockchain: z.string(),
  assets: z.array(
    z.object({
      previewImg: z.string().describe('Empty when unknown'),
      floorPrice: z.number().describe('Floor price of the collection in USD; 0 when unknown'),
      tokenId: z.string(),
      name: z.string().optional(),
      count: z.string().describe('Copies held, as the contract counts them; 1 for ERC-721'),
    }),
  ),
})

const SOLANA = 'solana'
const NOT_LISTED =
  'NFTs not available: solana. The node of SOLANA_URL did not list them: it must have the Digital Asset Standard, as those of Helius, QuickNode and Triton, and the wallet at most 20,000 assets'

export const getWalletAssets = defineRoute({
  method: 'GET',
  path: '/nft/wallet/{address}/assets',
  tag: 'NFTs',
  summary: 'The NFTs of a wallet by collection',
  description:
    'Holdings on every network of `all` that the wallet was synced on, or on the networks that the request names, computed from its transfers, without spam collections. Those on Solana come from its node, which must have the Digital Asset Standard: also compressed, frozen and delegated ones, without burnt ones. The most valuable collections come first. Pages count collections. `meta.pending` names the networks whose history or NFTs are not complete. The first read of a wallet starts its sync.',
  pathParams: z.object({ address: nftAddressParam('Wallet address on EVM networks or Solana') }),
  query: z
    .object({
      connectionId: connectionIds().optional(),
      blockchain: blockchains().optional(),
      page: page(),
      limit: limit(),
    })
    .transform(({ connectionId, blockchain, ...rest }) => ({
      ...rest,
      networks: connectionId ?? blockchain ?? ['all' as const],
    })),
  response: z.object({ meta: walletPageMetaSchema, data: z.array(group).optional() }),
  credits: 40,
  multiplied: { creditsAll: 40, items: ({ query }) => pricedNetworks(query.networks) },
  plan: 'any',
  x402: null,
  mayLag: true,
  async handler({ path: { address }, query: { networks, page: number, limit: size } }, context) {
    const { db } = context
    if (!fitsNetworks(address, networks))
      throw invalidParameter('connectionId', 'It must name networks with addresses of this kind')
    const items = networks.map((network) => ({ network, address }))
    const { synced, missing } = await readableWallets(context, items)
    const wallet = { address, networkIds: synced.map(({ networkId }) => networkId) }
    // An address of Solana is one of no other network.
    const holdings = wallet.networkIds.includes(SOLANA)
      ? await readHoldingsRead(db, { networkId: SOLANA, owner: address })
      : null
    if (holdings?.failure && holdings.readAt === null) throw badRequest(NOT_LISTED)
    const all = await readHeldCollections(db, wallet)
    const collections = all.slice((number - 1) * size, number * size)
    const tokens = collections.length > 0 ? await readHeldTokens(db, { ...wallet, collections }) : []
    const keyOf = (one: { networkId: string; address: string }) => `${one.networkId} ${one.address}`
    const tokensOf = Map.groupBy(tokens, keyOf)
    return {
      body: {
        meta: pageMeta({ page: number, limit: size, itemCount: all.length }),
        data: collections.map((one) => toGroup(one, tokensOf.get(keyOf(one)) ?? [])),
      },
      asOf: oldest([
        ...(holdings ? [holdings.readAt] : synced.map(({ syncedAt }) => syncedAt)),
        ...collections.map(({ pricedAt }) => pricedAt),
      ]),
      pending: [...missing.map(nameOfPending), ...(holdings === undefined ? synced.map(nameOfPending) : [])],
    }
  },
})

function toGroup(collection: HeldCollection, tokens: readonly HeldToken[]): z.infer<typeof group> {
  const floorPrice = toNumber(collection.floorUsd ?? '0')
  const sold = tokens.map(({ lastSaleUsd, copies }) => multiply(decimal(lastSaleUsd ?? '0'), decimal(copies)))
  return {
    name: collection.name,
    logo: collection.logo ?? '',
    address: collection.address,
    floorPrice,
    totalFloorPrice: toNumber(collection.totalFloorUsd ?? '0'),
    totalLastSalePrice: nearestDouble(sum(sold)),
    id: collectionId(collection),
    assetsCount: collection.tokens,
    blockchain: collection.blockchain,
    assets: tokens.map((token) => ({
      previewImg: token.imageUrl ?? '',
      floorPrice,
      tokenId: tokenIdOf(token),
      ...(token.name !== null && { name: token.name }),
      count: token.copies,
    })),
  }
}
