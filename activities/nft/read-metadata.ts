import { Buffer } from 'node:buffer'
import { arrangeAssets } from '../../db/nft/arrange-assets.ts'
import { undescribedTokens, type UndescribedToken } from '../../db/nft/read-for-ingest.ts'
import { type AssetRow, storeAssets } from '../../db/nft/write-assets.ts'
import { transact } from '../../db/transact.ts'
import type { ActivityDeps, NodeDeps } from '../deps.ts'
import { SourceRejected, SourceUnavailable } from '../errors.ts'
import { parseExactJson } from '../exact-json.ts'
import { ipfsPath, pictureUrl } from './media-url.ts'
import type { TokenMetadata } from './nft-data.ts'
import type { NftSources } from './nft-sources.ts'
import { tokenMetadata } from './token-metadata.ts'
import { readTokenUris } from './token-uris.ts'

/**
 * Reads the metadata of moved tokens without a description through their contracts.
 * Returns the number of tokens tried; fewer than `limit` means that none are left.
 */
export async function readMetadata(
  deps: Pick<ActivityDeps, 'db' | 'pool' | 'now' | 'config' | 'heartbeat'> & NodeDeps,
  sources: NftSources,
  { limit }: { limit: number },
): Promise<number> {
  const { rpcUrls } = deps.config
  const at = deps.now()
  const tokens = await undescribedTokens(deps.db, { networkIds: Object.keys(rpcUrls), at, limit })
  for (const [networkId, some] of Map.groupBy(tokens, (token) => token.networkId)) {
    const source = `rpc:${networkId}`
    const uris = await readTokenUris(await deps.nodes(networkId, 'wallets'), some)
    const assets: AssetRow[] = []
    for (const [i, token] of some.entries()) {
      assets.push(await describe(sources, { token, uri: uris[i]!, at }))
      deps.heartbeat()
    }
    await transact(deps.pool, async ({ client }) => {
      await storeAssets(client, { assets, source, fetchedAt: at })
      for (const address of new Set(some.map((token) => token.address)))
        await arrangeAssets(client, { networkId, address, source, at })
    })
  }
  return tokens.length
}

async function describe(
  sources: NftSources,
  { token, uri, at }: { token: UndescribedToken; uri: string | null; at: Date },
): Promise<AssetRow> {
  const found = uri === null ? null : await documentAt(sources, uri)
  const { networkId, address, tokenId, standard } = token
  return {
    networkId,
    address,
    tokenId,
    standard,
    url: null,
    metadataAt: at,
    name: found?.name ?? null,
    imageUrl: pictureUrl(found?.image, sources.ipfsGatewayUrl),
    traits: found?.traits ?? [],
  }
}

/** The document at a token's URI; null when it is missing or invalid, or when its source is off. */
async function documentAt(sources: NftSources, uri: string): Promise<TokenMetadata | null> {
  try {
    if (uri.startsWith('data:')) return documentIn(uri)
    if (ipfsPath(uri) !== null) return (await sources.ipfs?.read(uri)) ?? null
    return (await sources.metadataProxy?.read(uri)) ?? null
  } catch (error) {
    // One unreachable host must not stop the others: the token is tried again later.
    if (error instanceof SourceRejected || error instanceof SourceUnavailable) return null
    throw error
  }
}

/** The document inside a data URI (RFC 2397); null: none, or invalid */
export function documentIn(uri: string): TokenMetadata | null {
  const match = /^data:(?:application\/json|text\/plain)?((?:;[^,;]+)*),(.*)$/s.exec(uri)
  if (!match) return null
  try {
    const base64 = /;base64$/i.test(match[1]!)
    const text = base64 ? Buffer.from(match[2]!, 'base64').toString('utf8') : unescaped(match[2]!)
    return tokenMetadata.safeParse(parseExactJson(text)).data ?? null
  } catch {
    return null
  }
}

/** Many contracts do not escape their text, so it can contain a literal percent sign. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
