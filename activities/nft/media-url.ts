const LONGEST_URL = 2_000
const LONGEST_DATA = 32_768
const PICTURE = /^data:image\/(png|gif|jpeg|webp|avif|svg\+xml)[;,]/i
const IPFS = /^(?:ipfs:\/\/(?:ipfs\/)?|https?:\/\/[^/?#]+\/ipfs\/)([A-Za-z0-9][^\s"'<>\\^`{|}]*)$/

/** The path below /ipfs/ that a URI means, also where it names another gateway; null when it is none of IPFS. */
export function ipfsPath(uri: string): string | null {
  const path = IPFS.exec(uri)?.[1]
  return path === undefined || path.split('/').includes('..') ? null : path
}

/** An http address as it is; null for anything else. */
export function webUrl(text: string | null | undefined): string | null {
  if (!text || text.length > LONGEST_URL || !/^https?:\/\//i.test(text)) return null
  return URL.canParse(text) ? new URL(text).href : null
}

/** A picture that a browser can load: an http address, a small picture as data, or one of IPFS through the gateway. */
export function pictureUrl(uri: string | null | undefined, ipfsGatewayUrl: string): string | null {
  if (!uri) return null
  if (PICTURE.test(uri)) return uri.length <= LONGEST_DATA ? uri : null
  const path = ipfsPath(uri)
  return path === null ? webUrl(uri) : webUrl(`${ipfsGatewayUrl}/ipfs/${path}`)
}
