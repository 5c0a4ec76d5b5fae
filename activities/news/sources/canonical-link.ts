import { createHash } from 'node:crypto'

/** Query parameters that only track where a reader came from. */
const TRACKING =
  /^(utm_\w+|(fb|g|d|tw|y)clid|msclkid|gbraid|wbraid|igshid|mc_[ce]id|_hs\w+|mkt_tok|ref|ref_src|referrer|cmpid|ncid|ocid|smid|source|src|medium|campaign|feed|from_rss|rss)$/i
/** These track only if their value names a feed or a network; otherwise they may identify the article. */
const DOUBTFUL = /^(source|src|medium|campaign|feed|ref)$/i
const CHANNEL = /rss|feed|atom|twitter|facebook|telegram|newsletter|email|social|google|home/i

/**
 * Fragments that name a place in a page. Other fragments identify articles, such as posts of a live report.
 */
const PLACE = /^#($|top|main|content|comment|respond|disqus|utm_|xtor=|ref=|rss)/i

/**
 * Returns the link of an article as an absolute http(s) URL without credentials, tracking parameters and
 * fragments of places; null: it is no such URL. Relative links are resolved against `base`.
 */
export function canonicalLink(href: string, base: string): string | null {
  const url = URL.parse(href.trim(), base)
  if (!url || !/^https?:$/.test(url.protocol)) return null
  if (PLACE.test(url.hash || '#')) url.hash = ''
  url.username = ''
  url.password = ''
  for (const [name, value] of Array.from(url.searchParams))
    if (TRACKING.test(name) && (!DOUBTFUL.test(name) || CHANNEL.test(value))) url.searchParams.delete(name)
  return url.href
}

/**
 * Returns the id of an article: SHA-256 of its source and canonical link, ignoring the scheme, `www.`, a
 * trailing slash and the order of parameters.
 */
export function newsId({ source, link }: { source: string; link: string }): string {
  const url = new URL(link)
  url.searchParams.sort()
  const host = url.host.replace(/^www\./, '')
  const identity = `${host}${url.pathname.replace(/\/+$/, '')}${url.search}${url.hash}`
  return createHash('sha256').update(`${source}\n${identity}`).digest('hex')
}
