import { createHash } from 'node:crypto'

/** Query parameters that say where a reader came from, and nothing of what is read. */
const TRACKING =
  /^(utm_\w+|(fb|g|d|tw|y)clid|msclkid|gbraid|wbraid|igshid|mc_[ce]id|_hs\w+|mkt_tok|ref|ref_src|referrer|cmpid|ncid|ocid|smid|source|src|medium|campaign|feed|from_rss|rss)$/i
/** Of these only the ones that name a feed or a network are tracking: an article may hang on the others. */
const DOUBTFUL = /^(source|src|medium|campaign|feed|ref)$/i
const CHANNEL = /rss|feed|atom|twitter|facebook|telegram|newsletter|email|social|google|home/i

/** Places in a page, not articles. Other fragments name them: entries of a day, posts of a live report. */
const PLACE = /^#($|top|main|content|comment|respond|disqus|utm_|xtor=|ref=|rss)/i

/**
 * The link of an article as an absolute http address without credentials, tracking parameters and places in the page;
 * null for anything else. `base` resolves relative ones.
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
 * The id of an article: SHA-256 of its source and its canonical link, in which the scheme, `www.`, a slash at the end
 * and the order of parameters make no difference.
 */
export function newsId({ source, link }: { source: string; link: string }): string {
  const url = new URL(link)
  url.searchParams.sort()
  const host = url.host.replace(/^www\./, '')
  const identity = `${host}${url.pathname.replace(/\/+$/, '')}${url.search}${url.hash}`
  return createHash('sha256').update(`${source}\n${identity}`).digest('hex')
}
