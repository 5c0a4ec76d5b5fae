const LONGEST_URL = 2_000
const LONGEST_DATA = 32_768
const PICTURE = /^data:image\/(png|gif|jpeg|webp|avif|svg\+xml)[;,]/i
const IPFS = /^(?:ipfs:\/\/(?:ipfs\/)?|https?:\/\/[^/?#]+\/ipfs\/)([A-Za-z0-9][^\s"'<>\\^`{|}]*)$/

/** The path below /ipfs/ of a URI, whichever gateway the URI names; null: not IPFS */
export function ipfsPath(uri: string): string | null {
  const path = IPFS.exec(uri)?.[1]
  return path === undefined || path.split('/').includes('..') ? null : path
}

/** The normalized http(s) URL; null for anything else. */
export function webUrl(text: string | null | undefined): string | null {
  if (!text || text.length > LONGEST_URL || !/^https?:\/\//i.test(text)) return null
  return URL.canParse(text) ? new URL(text).href : null
}

/** A picture URL that a browser can load: http(s), a small data URI, or IPFS through the gateway; or null. */
export function pictureUrl(uri: string | null | undefined, ipfsGatewayUrl: string): string | null {
  if (!uri) return null
  if (PICTURE.test(uri)) return uri.length <= LONGEST_DATA ? uri : null
  const path = ipfsPath(uri)
  return path === null ? webUrl(uri) : webUrl(`${ipfsGatewayUrl}/ipfs/${path}`)
}
