import type { SandboxCollection } from './catalogue.ts'
import type { NftWorld } from './nft-world.ts'
import { isoMs, numberOf, ok, type Upstream, type UpstreamReply, type UpstreamRequest } from '../upstream.ts'

const most = 100
const kindOf = ({ standard }: SandboxCollection): string => standard.toUpperCase()
const failed = (status: number, message: string): UpstreamReply => ({ status, body: { error: { message } } })
const pageKeyOf = (tokenId: bigint): string => `0x${tokenId.toString(16).padStart(64, '0')}`

type Options = { world: NftWorld; count: number; now: number }

function contract(one: SandboxCollection, { world, count, now }: Options) {
  return {
    address: one.address,
    name: one.name,
    symbol: one.symbol,
    tokenType: kindOf(one),
    totalSupply: one.standard === 'erc721' ? String(count) : null,
    contractDeployer: world.hash(40, one.slug, 'creator'),
    deployedBlockNumber: 12287507,
    openSeaMetadata: {
      floorPrice: world.floorEth(one, now),
      collectionName: one.name,
      collectionSlug: one.slug,
      safelistRequestStatus: one.verified ? 'verified' : 'not_requested',
      imageUrl: `https://images.sluice.example/${one.slug}/logo.png`,
      description: one.description,
      externalUrl: `https://${one.slug}.example`,
      twitterUsername: one.slug.replaceAll('-', '_'),
      discordUrl: null,
      bannerImageUrl: `https://images.sluice.example/${one.slug}/banner.png`,
      lastIngestedAt: isoMs(now - 3600),
    },
  }
}

/** Alchemy's answer for an unknown contract, with status 200. */
const unknownContract = (address: string) => ({
  address,
  name: null,
  symbol: null,
  totalSupply: null,
  tokenType: 'NOT_A_CONTRACT',
  contractDeployer: null,
  deployedBlockNumber: null,
  openSeaMetadata: {
    floorPrice: null,
    collectionName: null,
    collectionSlug: null,
    safelistRequestStatus: null,
    imageUrl: null,
    description: null,
    externalUrl: null,
    twitterUsername: null,
    discordUrl: null,
    bannerImageUrl: null,
    lastIngestedAt: null,
  },
})

function token(one: SandboxCollection, id: bigint, options: Options) {
  const isKnown = id < one.undescribedFrom
  const name = isKnown ? `${one.name} #${id}` : null
  const image = isKnown ? options.world.imageOf(one, id) : null
  const tokenUri = `https://${one.slug}.example/${id}`
  return {
    contract: { ...contract(one, options), isSpam: null, spamClassifications: [] },
    tokenId: String(id),
    tokenType: kindOf(one),
    name,
    description: null,
    tokenUri,
    image: {
      cachedUrl: image,
      thumbnailUrl: null,
      pngUrl: null,
      contentType: 'image/png',
      size: 1000,
      originalUrl: image,
    },
    animation: { cachedUrl: null, contentType: null, size: null, originalUrl: null },
    raw: {
      tokenUri,
      metadata: isKnown ? { name, image, attributes: options.world.traitsOf(one, id) } : {},
      error: isKnown ? null : 'Token uri responded with a non 200 response code',
    },
    collection: { name: one.name, slug: one.slug, externalUrl: `https://${one.slug}.example` },
    mint: { mintAddress: null, blockNumber: null, timestamp: null, transactionHash: null },
    owners: null,
    timeLastUpdated: isoMs(options.now - 86_400),
  }
}

/** A page, with the first token id of the next page as 32 bytes. A larger limit is cut to `most`. */
function tokens({ query }: UpstreamRequest, one: SandboxCollection, ids: bigint[], options: Options) {
  const given = query.get('pageKey') ?? query.get('startToken')
  if (given !== null && !/^(0x[0-9a-f]{1,64}|\d+)$/.test(given)) return failed(400, 'Invalid pageKey')
  const rest = given === null ? ids : ids.filter((id) => id >= BigInt(given))
  const limit = Math.max(1, numberOf(query, 'limit', { or: most, max: most }))
  const next = rest[limit]
  return ok({
    nfts: rest.slice(0, limit).map((id) => token(one, id, options)),
    ...(next !== undefined && { pageKey: pageKeyOf(next) }),
  })
}

/** Alchemy's NFT API v3 for Ethereum on the NFT market of the sandbox. */
export function createAlchemyNft(world: NftWorld): Upstream {
  return async (request) => {
    const [key, method] = request.path
    if (!key || method === undefined) return failed(401, 'Must be authenticated!')
    const address = request.query.get('contractAddress') ?? ''
    if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return failed(400, 'Contract address is not a valid address')
    const one = world.byContract('ethereum', address)
    const options = { world, now: request.now, count: one ? (await world.tokenIds(one)).length : 0 }
    if (method === 'getContractMetadata') return ok(one ? contract(one, options) : unknownContract(address))
    if (method === 'getFloorPrice') {
      const none = { error: 'unable to fetch floor price' }
      if (!one) return ok({ openSea: none, looksRare: none })
      const openSea = {
        floorPrice: world.floorEth(one, request.now),
        priceCurrency: 'ETH',
        collectionUrl: `https://opensea.io/collection/${one.slug}`,
        retrievedAt: isoMs(request.now - 60),
        error: null,
      }
      return ok({ openSea, looksRare: none })
    }
    if (method === 'getNFTsForContract')
      return one ? tokens(request, one, await world.tokenIds(one), options) : ok({ nfts: [] })
    return failed(404, `Unsupported method: ${method}`)
  }
}
