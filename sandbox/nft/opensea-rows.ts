import type { SandboxCollection } from './catalogue.ts'
import type { NftWorld, SandboxListing, SandboxSale } from './nft-world.ts'
import { tokenOf } from '../chain/tokens.ts'

const zero = '0x0000000000000000000000000000000000000000'
const openseaFees = '0x0000a26b00c1f0df003000390027140000faa719'
const seaport = '0x0000000000000068f116a894984e2db1123eb395'

const chainOf = ({ network }: SandboxCollection): string => (network === 'ethereum' ? 'ethereum' : 'base')
const weiOf = (eth: number): bigint => BigInt(Math.round(eth * 1e12)) * 1_000_000n
/** OpenSea's times have microseconds and no zone. */
const naive = (day: string): string => `${day}T09:30:11.120450`

export function collectionRow(
  one: SandboxCollection,
  options: { world: NftWorld; count: number; isWhole: boolean },
) {
  const chain = chainOf(one)
  const payment = (symbol: string, address: string, decimals: number) => ({
    symbol,
    address,
    chain,
    image: `https://images.sluice.example/${symbol}.png`,
    name: symbol,
    decimals,
    eth_price: '1',
    usd_price: '1',
  })
  const row = {
    collection: one.slug,
    name: one.name,
    description: one.description,
    image_url: `https://images.sluice.example/${one.slug}/logo.png`,
    // Lists omit it.
    banner_image_url: options.isWhole ? `https://images.sluice.example/${one.slug}/banner.png` : null,
    owner: options.world.hash(40, one.slug, 'creator'),
    safelist_status: one.verified ? 'verified' : 'not_requested',
    category: one.category,
    is_disabled: false,
    is_nsfw: false,
    trait_offers_enabled: true,
    collection_offers_enabled: true,
    opensea_url: `https://opensea.io/collection/${one.slug}`,
    project_url: `https://${one.slug}.example`,
    wiki_url: '',
    discord_url: '',
    telegram_url: '',
    twitter_username: one.slug.replaceAll('-', '_'),
    instagram_username: '',
    contracts: [{ address: one.address, chain }],
  }
  if (!options.isWhole) return row
  return {
    ...row,
    editors: [],
    fees: [
      { fee: 1, recipient: openseaFees, required: true },
      ...(one.creatorFeePercent > 0
        ? [{ fee: one.creatorFeePercent, recipient: row.owner, required: false }]
        : []),
    ],
    rarity: null,
    payment_tokens: [
      payment('ETH', zero, 18),
      payment('WETH', tokenOf(one.network, 'WETH').address, 18),
      payment('USDC', tokenOf(one.network, 'USDC').address, 6),
    ],
    total_supply: options.count,
    unique_item_count: options.count,
    created_date: one.createdDate,
  }
}

export const contractRow = (one: SandboxCollection, count: number) => ({
  address: one.address,
  chain: chainOf(one),
  collection: one.slug,
  contract_standard: one.standard,
  name: one.name,
  total_supply: count,
})

export function nftRow(one: SandboxCollection, id: bigint, world: NftWorld) {
  const isKnown = id < one.undescribedFrom
  const image = isKnown ? world.imageOf(one, id) : null
  return {
    identifier: String(id),
    collection: one.slug,
    contract: one.address,
    token_standard: one.standard,
    name: isKnown ? `${one.name} #${id}` : null,
    description: isKnown ? one.description : '',
    image_url: image,
    display_image_url: image,
    display_animation_url: null,
    metadata_url: null,
    opensea_url: `https://opensea.io/assets/${chainOf(one)}/${one.address}/${id}`,
    updated_at: naive(one.createdDate),
    is_disabled: false,
    is_nsfw: false,
    original_image_url: null,
    original_animation_url: null,
    estimated_value_usd: null,
    decimals: null,
    traits: isKnown
      ? world.traitsOf(one, id).map((trait) => ({ ...trait, display_type: null, max_value: null }))
      : [],
  }
}

export function listingRow(
  one: SandboxCollection,
  listing: SandboxListing,
  { world, now }: { world: NftWorld; now: number },
) {
  const { tokenId, seller, quantity, priceEth, inUsdc, index } = listing
  const usdc = tokenOf(one.network, 'USDC').address
  const each = inUsdc
    ? BigInt(Math.round(priceEth * (world.market.priceUsd('ethereum', now) ?? 0) * 1e6))
    : weiOf(priceEth)
  const value = String(each * BigInt(quantity))
  const start = Math.floor(now / 86_400) * 86_400
  const payment = { itemType: inUsdc ? 1 : 0, token: inUsdc ? usdc : zero, identifierOrCriteria: '0' }
  return {
    order_hash: world.hash(64, one.slug, String(tokenId), index, start),
    chain: chainOf(one),
    protocol_data: {
      parameters: {
        offerer: seller,
        offer: [
          {
            itemType: one.standard === 'erc721' ? 2 : 3,
            token: one.address,
            identifierOrCriteria: String(tokenId),
            startAmount: String(quantity),
            endAmount: String(quantity),
          },
        ],
        consideration: [{ ...payment, startAmount: value, endAmount: value, recipient: seller }],
        startTime: String(start),
        endTime: String(start + 3 * 86_400),
        orderType: 0,
        zone: zero,
        zoneHash: `0x${'0'.repeat(64)}`,
        salt: '0x1',
        conduitKey: `0x${'0'.repeat(64)}`,
        totalOriginalConsiderationItems: 1,
        counter: 0,
      },
      signature: null,
    },
    protocol_address: seaport,
    remaining_quantity: quantity,
    type: 'basic',
    status: 'ACTIVE',
    price: { current: { currency: inUsdc ? 'USDC' : 'ETH', decimals: inUsdc ? 6 : 18, value } },
  }
}

export function saleRow(one: SandboxCollection, sale: SandboxSale, world: NftWorld) {
  const { at, tokenId, quantity, priceEth, wei, seller, buyer, transaction } = sale
  return {
    event_type: 'sale',
    event_timestamp: at,
    transaction,
    chain: chainOf(one),
    order_hash: world.hash(64, transaction, String(tokenId)),
    protocol_address: seaport,
    payment: {
      quantity: String(wei ?? weiOf(priceEth) * BigInt(quantity)),
      token_address: zero,
      decimals: 18,
      symbol: 'ETH',
    },
    closing_date: at,
    seller,
    buyer,
    quantity,
    nft: nftRow(one, tokenId, world),
  }
}
