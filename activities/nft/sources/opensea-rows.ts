import { z } from 'zod'
import { decimal, formatDecimal, multiply } from '../../../db/values/decimal.ts'
import { NETWORKS } from '../../../db/values/networks.ts'
import { dateField, decimalField, secondsField } from '../../fields.ts'
import { webUrl } from '../media-url.ts'
import type { CollectionRecord, CollectionStats, ListingRecord, NftRecord, SaleRecord } from '../nft-data.ts'
import { plainText } from '../../plain-text.ts'

// Rows of OpenSea's API v2. Unknown texts are null, '' or absent.

const LONGEST_TEXT = 5_000
const HUNDRED = decimal('100')
const OPENSEA_FEE_RECIPIENT = '0x0000a26b00c1f0df003000390027140000faa719'

/** OpenSea's chain names by our networks. Rows of other chains are left out. */
const served = NETWORKS.flatMap(({ id, names: { opensea } }) =>
  opensea === null ? [] : [{ id, chain: opensea }],
)
export const OPENSEA_CHAINS = new Map<string, string>(served.map(({ id, chain }) => [id, chain]))
const networkOfChain = new Map<string, string>(served.map(({ id, chain }) => [chain, id]))

const maybeText = z.string().nullish()
const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => text.toLowerCase())
const hash = z.string().regex(/^0x[0-9a-fA-F]{64}$/)
const slug = z.string().regex(/^[\w.-]{1,200}$/)
const UINT256 = 2n ** 256n
const uint = z
  .union([z.number(), z.string()])
  .transform(String)
  .refine((text) => /^\d{1,78}$/.test(text) && BigInt(text) < UINT256, 'not a uint256')
  .transform((text) => BigInt(text).toString())
const positive = uint.refine((text) => text !== '0', 'is zero')
const count = uint.refine((text) => text.length <= 18, 'implausible')
const amount = decimalField.refine((text) => !text.startsWith('-'), 'is negative')
const standard = z.enum(['erc721', 'erc1155'])

const currency = z.object({ symbol: z.string(), address: z.string(), chain: z.string() })

export const collectionRow = z
  .object({
    collection: slug,
    name: z.string(),
    description: maybeText,
    image_url: maybeText,
    banner_image_url: maybeText,
    safelist_status: maybeText,
    category: maybeText,
    is_disabled: z.boolean(),
    is_nsfw: z.boolean(),
    opensea_url: maybeText,
    project_url: maybeText,
    wiki_url: maybeText,
    discord_url: maybeText,
    telegram_url: maybeText,
    twitter_username: maybeText,
    instagram_username: maybeText,
    contracts: z.array(z.object({ address: z.string(), chain: z.string() })),
    fees: z.array(z.object({ fee: amount.transform(Number), recipient: z.string() })).nullish(),
    total_supply: count.nullish(),
    created_date: dateField.nullish().catch(null),
    payment_tokens: z.array(currency).nullish(),
    pricing_currencies: z
      .object({ listing_currency: currency, offer_currency: currency })
      .partial()
      .nullish(),
  })
  .transform((row): CollectionRecord => ({
    slug: row.collection,
    name: plainText(row.name, 200) ?? row.collection,
    description: plainText(row.description, LONGEST_TEXT) ?? '',
    imageUrl: webUrl(row.image_url),
    bannerUrl: webUrl(row.banner_image_url),
    category: plainText(row.category, 100),
    urls: urlsOf(row),
    verified: row.safelist_status === 'verified',
    disabled: row.is_disabled || row.is_nsfw,
    createdAt: row.created_date ?? null,
    creatorFeeBps: row.fees ? creatorFeeBps(row.fees) : null,
    totalSupply: row.total_supply ?? null,
    contracts: row.contracts.flatMap(contractRef),
    currencies: [
      ...(row.payment_tokens ?? []),
      ...Object.values(row.pricing_currencies ?? {}).filter((token) => token !== undefined),
    ].flatMap((token) => contractRef(token).map((contract) => ({ ...contract, symbol: token.symbol }))),
  }))

function contractRef(given: { address: string; chain: string }): { networkId: string; address: string }[] {
  const networkId = networkOfChain.get(given.chain)
  const parsed = address.safeParse(given.address)
  return networkId !== undefined && parsed.success ? [{ networkId, address: parsed.data }] : []
}

function urlsOf(row: Record<string, unknown>): { name: string; url: string }[] {
  const text = (name: string) => (typeof row[name] === 'string' ? row[name] : '')
  const at = (site: string, user: string) =>
    user === '' ? '' : `https://${site}/${encodeURIComponent(user)}`
  const links = {
    OpenSea: text('opensea_url'),
    Website: text('project_url'),
    Wiki: text('wiki_url'),
    Discord: text('discord_url'),
    Telegram: text('telegram_url'),
    Twitter: at('twitter.com', text('twitter_username')),
    Instagram: at('instagram.com', text('instagram_username')),
  }
  return Object.entries(links).flatMap(([name, link]) => {
    const url = webUrl(link)
    return url === null ? [] : [{ name, url }]
  })
}

/** Fees are in percent and include the marketplace's own. */
function creatorFeeBps(fees: readonly { fee: number; recipient: string }[]): number {
  const own = fees.filter(({ recipient }) => recipient.toLowerCase() !== OPENSEA_FEE_RECIPIENT)
  return Math.round(own.reduce((sum, { fee }) => sum + fee, 0) * 100)
}

export const contractRow = z.object({
  collection: slug.nullish(),
  contract_standard: z.string(),
  name: maybeText,
  total_supply: count.nullish().catch(null),
})

const interval = z.object({
  interval: z.string(),
  volume: amount,
  sales: count,
  average_price: amount.nullish(),
  volume_change: decimalField.nullish(),
})
export const statsRow = z
  .object({
    total: z.object({
      volume: amount,
      volume_symbol: maybeText,
      sales: count,
      num_owners: count,
      average_price: amount.nullish(),
      floor_price: amount.nullish(),
      floor_price_symbol: maybeText,
    }),
    intervals: z.array(interval),
  })
  .transform(({ total, intervals }): CollectionStats => ({
    volumeTotal: total.volume,
    volumeSymbol: total.volume_symbol || 'ETH',
    salesTotal: total.sales,
    ownersCount: total.num_owners,
    averagePrice: total.average_price ?? null,
    // null, or 0 without a symbol: nothing is on sale.
    floorPrice: total.floor_price && total.floor_price !== '0' ? total.floor_price : null,
    floorSymbol: total.floor_price_symbol || null,
    intervals: Object.fromEntries(
      intervals.map((one) => [
        one.interval,
        {
          volume: one.volume,
          sales: one.sales,
          averagePrice: one.average_price ?? null,
          // OpenSea gives a fraction.
          volumeChange: one.volume_change
            ? formatDecimal(multiply(decimal(one.volume_change), HUNDRED))
            : null,
        },
      ]),
    ),
  }))

const trait = z
  .object({
    trait_type: z.string(),
    display_type: maybeText,
    value: z.union([z.string(), z.number(), z.boolean()]),
  })
  .transform((one) => ({
    key: plainText(one.trait_type, 200) ?? '',
    kind: plainText(one.display_type, 50) ?? (typeof one.value === 'number' ? 'number' : 'string'),
    value: plainText(String(one.value), 500) ?? '',
  }))

export const nftRow = z
  .object({
    identifier: uint,
    contract: address,
    token_standard: standard,
    name: maybeText,
    image_url: maybeText,
    display_image_url: maybeText,
    opensea_url: maybeText,
    traits: z.array(trait.catch({ key: '', kind: '', value: '' })).nullish(),
  })
  .transform((row): NftRecord => ({
    tokenId: row.identifier,
    standard: row.token_standard,
    name: plainText(row.name, 300),
    imageUrl: webUrl(row.display_image_url) ?? webUrl(row.image_url),
    url: webUrl(row.opensea_url),
    traits: (row.traits ?? []).filter(({ key, value }) => key !== '' && value !== ''),
  }))

const item = z.object({
  itemType: z.number(),
  token: address,
  identifierOrCriteria: uint,
  startAmount: positive,
})
export const listingRow = z
  .object({
    order_hash: hash,
    price: z.object({ current: z.object({ decimals: z.int().min(0).max(36), value: positive }) }),
    protocol_data: z.object({
      parameters: z.object({
        offerer: address,
        // Exactly one: bundles and offers for any token of a set have no price per token.
        offer: z.tuple([item]),
        consideration: z.array(z.object({ itemType: z.number(), token: address })).min(1),
        endTime: z.union([z.number(), z.string()]).transform(Number),
      }),
    }),
  })
  .transform((row): ListingRecord => {
    const { offerer, offer, consideration, endTime } = row.protocol_data.parameters
    const { decimals, value } = row.price.current
    return {
      orderHash: row.order_hash.toLowerCase(),
      address: offer[0].token,
      tokenId: offer[0].identifierOrCriteria,
      seller: offerer,
      quantity: offer[0].startAmount,
      payment: { token: consideration[0]!.token, decimals, raw: value },
      // Some offers never end: they get the end of the year 9999, the last that both sides can write.
      endsAt: new Date(Math.min(endTime * 1000 || 0, 253_402_300_799_000)),
    }
  })

export const saleRow = z
  .object({
    event_timestamp: secondsField,
    transaction: hash,
    order_hash: maybeText,
    payment: z.object({ quantity: uint, token_address: address, decimals: z.int().min(0).max(36) }),
    seller: address,
    buyer: address,
    quantity: positive,
    nft: z.object({ identifier: uint, contract: address }),
  })
  .transform((row): SaleRecord => ({
    txHash: row.transaction.toLowerCase(),
    orderHash: row.order_hash?.toLowerCase() ?? '',
    address: row.nft.contract,
    tokenId: row.nft.identifier,
    at: row.event_timestamp,
    seller: row.seller,
    buyer: row.buyer,
    quantity: row.quantity,
    payment: { token: row.payment.token_address, decimals: row.payment.decimals, raw: row.payment.quantity },
  }))
