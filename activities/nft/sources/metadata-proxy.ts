import type { HttpClient } from '../../http-client.ts'
import { webUrl } from '../media-url.ts'
import { SourceRejected } from '../../errors.ts'
import type { TokenMetadata } from '../nft-data.ts'
import { tokenMetadata } from '../token-metadata.ts'

export const METADATA_PROXY = 'metadata-proxy'

/** Reads metadata on other hosts through the operator's proxy: `GET {proxy}/{host}/{path and query}`. */
export function createMetadataProxy({ http, url }: { http: HttpClient; url: string }) {
  return {
    read(uri: string): Promise<TokenMetadata> {
      const target = webUrl(uri)
      if (target === null) throw new SourceRejected(METADATA_PROXY, `not an http URL: ${uri.slice(0, 80)}`)
      const { host, pathname, search } = new URL(target)
      return http.fetchJson({
        source: METADATA_PROXY,
        url: `${url}/${host}${pathname}${search}`,
        schema: tokenMetadata,
        operation: null,
      })
    },
  }
}

export type MetadataProxy = ReturnType<typeof createMetadataProxy>
