import { SourceRejected } from '../../errors.ts'
import type { HttpClient } from '../../http-client.ts'
import { ipfsPath } from '../media-url.ts'
import type { TokenMetadata } from '../nft-data.ts'
import { tokenMetadata } from '../token-metadata.ts'

export const IPFS = 'ipfs'

/** Reads documents on IPFS through one HTTP gateway, whichever gateway their URI names. */
export function createIpfs({ http, url }: { http: HttpClient; url: string }) {
  return {
    read(uri: string): Promise<TokenMetadata> {
      const path = ipfsPath(uri)
      if (path === null) throw new SourceRejected(IPFS, `not an IPFS URI: ${uri.slice(0, 80)}`)
      return http.fetchJson({
        source: IPFS,
        url: `${url}/ipfs/${path}`,
        schema: tokenMetadata,
        operation: null,
      })
    },
  }
}

export type Ipfs = ReturnType<typeof createIpfs>
