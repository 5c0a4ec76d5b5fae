import { z } from 'zod'
import { NETWORKS } from '../../../db/values/networks.ts'
import { SourceRejected } from '../../errors.ts'
import { type HttpClient, NETWORK_IN_URL } from '../../http-client.ts'
import { parseRows } from '../../parse-rows.ts'
import type { ContractRef, NftRecord, Page } from '../nft-data.ts'
import { contractMetadata, type ContractMetadata, floorPrices, tokenRow } from './alchemy-nft-rows.ts'

export const ALCHEMY_NFT = 'alchemy-nft'

/** The only network with floor prices, and that of an address without `{network}`. */
export const FLOORS_ON = 'ethereum'
/** Names of the networks that the NFT API has: src/openapi/nft/nft.yaml in alchemyplatform/docs. */
const NAMES = new Map<string, string>(
  NETWORKS.flatMap(({ id, names, alchemyNfts }) =>
    names.alchemy !== null && alchemyNfts ? [[id, names.alchemy] as const] : [],
  ),
)
export const NFTS_PER_PAGE = 100

export interface FloorPrice {
  /** null: nothing is on sale */
  price: string | null
  symbol: string | null
  /** when Alchemy read it; null: not given */
  at: Date | null
}

/**
 * Alchemy's NFT API v3 (www.alchemy.com/docs/reference/nft-api-quickstart). The key is part of the path. `url` has
 * `{network}` for the name of the network; one without serves Ethereum alone.
 */
export function createAlchemyNft(options: { http: HttpClient; url: string; key: string | null }) {
  const { http, url, key } = options
  const nameOf = (networkId: string): string | undefined =>
    url.includes(NETWORK_IN_URL) || networkId === FLOORS_ON ? NAMES.get(networkId) : undefined
  const serves = (networkId: string): boolean => nameOf(networkId) !== undefined

  async function get<T>(
    { networkId, address }: ContractRef,
    request: { method: string; query?: Record<string, string>; schema: z.ZodType<T> },
  ): Promise<T> {
    const name = nameOf(networkId)
    if (name === undefined) throw new SourceRejected(ALCHEMY_NFT, `it does not serve ${networkId}`)
    const { method, query, schema } = request
    const host = url.replace(NETWORK_IN_URL, name)
    const base = key === null ? host : `${host}/${encodeURIComponent(key)}`
    return http.fetchJson({
      source: ALCHEMY_NFT,
      url: `${base}/${method}?${new URLSearchParams({ contractAddress: address, ...query }).toString()}`,
      ...(key !== null && { secret: encodeURIComponent(key) }),
      schema,
    })
  }

  /** Unknown fields are null, even the standard and the name. */
  const contract = (ref: ContractRef): Promise<ContractMetadata> =>
    get(ref, { method: 'getContractMetadata', schema: contractMetadata })

  /** OpenSea's floor only: another marketplace's floor would not continue the stored points. */
  async function floorPrice(ref: ContractRef): Promise<FloorPrice> {
    if (ref.networkId !== FLOORS_ON)
      throw new SourceRejected(ALCHEMY_NFT, `it has no floor prices on ${ref.networkId}`)
    const { openSea } = await get(ref, { method: 'getFloorPrice', schema: floorPrices })
    if (!openSea || openSea.error)
      throw new SourceRejected(ALCHEMY_NFT, `no floor price: ${openSea?.error ?? 'OpenSea has none'}`)
    const { floorPrice: price, priceCurrency, retrievedAt } = openSea
    return {
      price: price && price !== '0' ? price : null,
      symbol: priceCurrency || null,
      at: retrievedAt ?? null,
    }
  }

  /** A page of a contract's tokens with traits. `next` comes from the previous page; null: first page */
  async function nfts(
    request: ContractRef & { next: string | null },
  ): Promise<Page<NftRecord> & { isSpam: boolean }> {
    const query = {
      withMetadata: 'true',
      limit: String(NFTS_PER_PAGE),
      // Alchemy's cache only: asking the tokens' hosts would take longer than a request may.
      tokenUriTimeoutInMs: '0',
      ...(request.next !== null && { pageKey: request.next }),
    }
    const page = z.object({ nfts: z.array(z.unknown()), pageKey: z.string().nullish() })
    const { nfts: given, pageKey } = await get(request, {
      method: 'getNFTsForContract',
      query,
      schema: page,
    })
    const ofContract = tokenRow.refine((row) => row.address === request.address, 'is of another contract')
    const { rows, quarantined } = parseRows(ofContract, given)
    // Following the cursor of an empty page would never end.
    const next = given.length === 0 ? null : pageKey || null
    return { rows: rows.map(({ token }) => token), quarantined, next, isSpam: rows.some((row) => row.isSpam) }
  }

  return { name: ALCHEMY_NFT, serves, contract, floorPrice, nfts }
}

export type AlchemyNft = ReturnType<typeof createAlchemyNft>
