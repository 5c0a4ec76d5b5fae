import { z } from 'zod'
import { NotInPlan, SourceRejected } from '../../errors.ts'
import type { HttpClient } from '../../http-client.ts'
import { parseRows } from '../../parse-rows.ts'
import type { InstantKeys } from '../instant-keys.ts'
import type {
  CollectionRecord,
  CollectionStats,
  ContractRef,
  ListingRecord,
  NftRecord,
  NftStandard,
  Page,
  SaleRecord,
} from '../nft-data.ts'
import {
  collectionRow,
  contractRow,
  listingRow,
  nftRow,
  OPENSEA_CHAINS,
  saleRow,
  statsRow,
} from './opensea-rows.ts'

export const OPENSEA = 'opensea'

export const TRENDING = 100
export const NFTS_PER_PAGE = 200
export const LISTINGS_PER_PAGE = 100
export const SALES_PER_PAGE = 50

/** OpenSea's record of a contract: its standard and the slug of its collection. */
export interface ContractRecord {
  slug: string | null
  standard: NftStandard | null
}

/**
 * OpenSea's API v2 (docs.opensea.io/reference). Each price comes with its currency symbol. `key`: one of the operator's,
 * or those that the worker makes.
 */
export function createOpenSea(options: { http: HttpClient; url: string; key: string | null | InstantKeys }) {
  const { http, url, key } = options

  const ask = <T>(path: string, schema: z.ZodType<T>, given: string | null): Promise<T> => {
    const headers = given === null ? {} : { 'x-api-key': given }
    const operation = path.replaceAll(/(collections?|chain)\/[^/?]+/g, '$1/*')
    return http.fetchJson({
      source: OPENSEA,
      url: url + path,
      headers,
      schema,
      operation,
      waitMs: untilReset,
    })
  }

  async function get<T>(path: string, schema: z.ZodType<T>): Promise<T> {
    if (key === null || typeof key === 'string') return ask(path, schema, key)
    const given = await key.current()
    try {
      return await ask(path, schema, given)
    } catch (error) {
      if (!(error instanceof NotInPlan)) throw error
      const other = await key.replace(given)
      if (other === given) throw error
      return ask(path, schema, other)
    }
  }

  async function page<T>(request: {
    path: string
    list: string
    query: Record<string, string | number | null>
    schema: z.ZodType<T>
  }): Promise<Page<T>> {
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(request.query))
      if (value !== null) query.set(name, String(value))
    const body = z.object({ [request.list]: z.array(z.unknown()), next: z.string().nullish() })
    const answer = (await get(`${request.path}?${query.toString()}`, body)) as Record<string, unknown>
    const rows = answer[request.list] as unknown[]
    // Following the cursor of an empty page would never end.
    const next = rows.length === 0 ? null : ((answer['next'] as string | null | undefined) ?? null)
    return { ...parseRows(request.schema, rows), next: next === '' ? null : next }
  }

  /** The most traded collections of a day, in order. */
  const trending = (): Promise<Page<CollectionRecord>> =>
    page({
      path: '/collections/trending',
      list: 'collections',
      schema: collectionRow,
      query: { timeframe: 'one_day', limit: TRENDING },
    })

  /** null: OpenSea does not have the contract or the chain */
  async function contract({ networkId, address }: ContractRef): Promise<ContractRecord | null> {
    const chain = OPENSEA_CHAINS.get(networkId)
    if (chain === undefined) return null
    const row = await orNull(get(`/chain/${chain}/contract/${address}`, contractRow))
    const standard = row?.contract_standard.toLowerCase()
    return (
      row && {
        slug: row.collection || null,
        standard: standard === 'erc721' || standard === 'erc1155' ? standard : null,
      }
    )
  }

  const collection = (slug: string): Promise<CollectionRecord | null> =>
    orNull(get(`/collections/${encodeURIComponent(slug)}`, collectionRow))

  const stats = (slug: string): Promise<CollectionStats> =>
    get(`/collections/${encodeURIComponent(slug)}/stats`, statsRow)

  /** A page of a contract's tokens with traits. `next` comes from the previous page; null: first page */
  async function nfts(request: ContractRef & { next: string | null }): Promise<Page<NftRecord>> {
    const chain = OPENSEA_CHAINS.get(request.networkId)
    if (chain === undefined) throw new SourceRejected(OPENSEA, `it does not serve ${request.networkId}`)
    return page({
      path: `/chain/${chain}/contract/${request.address}/nfts`,
      list: 'nfts',
      schema: nftRow,
      query: { limit: NFTS_PER_PAGE, next: request.next },
    })
  }

  /** Offers to sell, cheapest first. One token can have several. */
  const listings = (request: { slug: string; next: string | null }): Promise<Page<ListingRecord>> =>
    page({
      path: `/listings/collection/${encodeURIComponent(request.slug)}/best`,
      list: 'listings',
      schema: listingRow,
      query: { limit: LISTINGS_PER_PAGE, next: request.next },
    })

  /** Sales from `after` on, newest first. */
  const sales = (request: {
    slug: string
    after: Date | null
    next: string | null
  }): Promise<Page<SaleRecord>> =>
    page({
      path: `/events/collection/${encodeURIComponent(request.slug)}`,
      list: 'asset_events',
      schema: saleRow,
      query: {
        event_type: 'sale',
        limit: SALES_PER_PAGE,
        after: request.after && Math.floor(request.after.getTime() / 1000),
        next: request.next,
      },
    })

  const serves = (networkId: string): boolean => OPENSEA_CHAINS.has(networkId)

  return { name: OPENSEA, serves, trending, contract, collection, stats, nfts, listings, sales }
}

export type OpenSea = ReturnType<typeof createOpenSea>

/** null: OpenSea answers 404 */
async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof SourceRejected && error.message.includes('status 404')) return null
    throw error
  }
}

/** OpenSea says when a limit ends, in Unix seconds. null: it does not */
function untilReset(headers: Record<string, string>): number | null {
  const at = Number(headers['x-ratelimit-reset'] ?? NaN)
  return Number.isFinite(at) ? Math.max(0, at * 1_000 - Date.now()) : null
}
