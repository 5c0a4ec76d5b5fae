import { DomUtils, parseDocument } from 'htmlparser2'
import type { QuarantinedRow } from '../../parse-rows.ts'
import { canonicalLink, newsId } from './canonical-link.ts'
import {
  childNamed,
  childrenNamed,
  type Element,
  htmlOf,
  isElement,
  textOf,
  textOfFirst,
} from './feed-element.ts'
import { parseFeedDate } from './feed-date.ts'
import { itemImage } from './item-image.ts'
import { shortened } from './plain-text.ts'
import { sitemapItem } from './sitemap-item.ts'

/** One article as its publisher describes it. All text is plain text. */
export interface FeedItem {
  id: string
  link: string
  title: string
  summary: string | null
  /** null: the feed gives no time, or an implausible one */
  publishedAt: Date | null
  imageUrl: string | null
  imageWidth: number | null
  keywords: string[]
  hasContent: boolean
  reactions: Record<string, number>
}

export interface FeedDocument {
  imageUrl: string | null
  items: FeedItem[]
  quarantined: QuarantinedRow[]
  /** Number of items that repeat an article of the same document. */
  repeated: number
}

interface ParseOptions {
  source: string
  /** URL of the feed, against which relative links are resolved. */
  url: string
  now: Date
}

const LONGEST_TITLE = 300
const LONGEST_SUMMARY = 500
const MOST_KEYWORDS = 10
/** A text of at least this many characters is a whole article, not a summary. */
const ARTICLE = 1_000

/**
 * Parses RSS 0.9 to 2.0, RDF, Atom and news sitemaps. Throws when the text is no feed or an incomplete one.
 */
export function parseFeed(text: string, options: ParseOptions): FeedDocument {
  const root = parseDocument(text.replace(/^\uFEFF/, ''), { xmlMode: true }).children.find(isElement)
  if (!root || !/^(rss|rdf:RDF|feed|entry|urlset)$/i.test(root.name))
    throw new Error(`no feed: ${text.trim().slice(0, 60)}`)
  // Reject incomplete feeds: they may end in the middle of a link.
  if (text.lastIndexOf(`</${root.name}`) === -1) throw new Error('the feed breaks off')
  const channel = childNamed(root, 'channel') ?? root
  const elements = [
    ...(root.name === 'entry' ? [root] : []),
    ...childrenNamed(root, 'entry'),
    ...childrenNamed(root, 'item'),
    ...childrenNamed(root, 'url'),
    ...(channel === root ? [] : childrenNamed(channel, 'item')),
  ]
  const base = canonicalLink(linkOf(channel) ?? '', options.url) ?? options.url
  const items = new Map<string, FeedItem>()
  const quarantined: QuarantinedRow[] = []
  for (const element of elements) {
    const read = root.name === 'urlset' ? sitemapItem : readItem
    const item = read(element, { ...options, base })
    if (typeof item === 'string') quarantined.push({ reason: item, payload: payloadOf(element) })
    else if (!items.has(item.id)) items.set(item.id, item)
  }
  return {
    imageUrl: feedImage(channel, base),
    items: [...items.values()],
    quarantined,
    repeated: elements.length - quarantined.length - items.size,
  }
}

/** Returns the article, or the reason why the item is quarantined. */
function readItem(item: Element, options: ParseOptions & { base: string }): FeedItem | string {
  const base = item.attribs['xml:base'] ?? options.base
  const href = linkOf(item)
  if (href === null) return 'no link'
  const link = canonicalLink(href, base)
  if (link === null) return 'the link is not a web address'
  const summary = textOfFirst(item, ['description', 'summary', 'media:description', 'itunes:summary'])
  const content = childNamed(item, 'content:encoded') ?? childNamed(item, 'content')
  const body = textOf(content)
  const title = textOfFirst(item, ['title', 'media:title', 'itunes:title']) || shortened(summary || body, 120)
  if (title === '') return 'neither title nor text'
  const html = [content, childNamed(item, 'description'), childNamed(item, 'summary')].map(htmlOf)
  const image = itemImage(item, { html, base: link })
  return {
    id: newsId({ source: options.source, link }),
    link,
    title: shortened(title, LONGEST_TITLE),
    summary: summary || body ? shortened(summary || body, LONGEST_SUMMARY) : null,
    publishedAt: dateOf(item, options.now),
    imageUrl: image?.url ?? null,
    imageWidth: image?.width ?? null,
    keywords: keywordsOf(item),
    hasContent: body.length >= ARTICLE,
    reactions: reactionsOf(item),
  }
}

/** Returns the URL of the article, if possible the original instead of one that counts clicks; null: none. */
function linkOf(item: Element): string | null {
  const original = textOf(childNamed(item, 'feedburner:origLink'))
  if (original !== '') return original
  const links = [...childrenNamed(item, 'link'), ...childrenNamed(item, 'atom:link')]
  const alternate = links.find(
    ({ attribs }) => attribs['href'] !== undefined && ['alternate', undefined].includes(attribs['rel']),
  )
  const written = links.map((link) => DomUtils.textContent(link).trim()).find((text) => text !== '')
  const href = written ?? alternate?.attribs['href']
  if (href !== undefined && href !== '') return href
  const guid = childNamed(item, 'guid')
  const id = DomUtils.textContent(guid ?? childNamed(item, 'id') ?? []).trim()
  return guid?.attribs['isPermaLink'] !== 'false' && /^https?:\/\//.test(id) ? id : null
}

function dateOf(item: Element, now: Date): Date | null {
  for (const name of ['pubDate', 'published', 'dc:date', 'updated', 'issued', 'modified']) {
    const date = parseFeedDate(textOf(childNamed(item, name)), now)
    if (date) return date
  }
  return null
}

function keywordsOf(item: Element): string[] {
  const words = childrenNamed(item, 'category').map(
    (category) => category.attribs['label'] ?? category.attribs['term'] ?? textOf(category),
  )
  return [...new Set(words.map((word) => shortened(word.trim(), 60)).filter((word) => word !== ''))].slice(
    0,
    MOST_KEYWORDS,
  )
}

function reactionsOf(item: Element): Record<string, number> {
  const comments = textOf(childNamed(item, 'slash:comments'))
  return /^[1-9]\d{0,8}$/.test(comments) ? { comments: Number(comments) } : {}
}

function feedImage(channel: Element, base: string): string | null {
  const image = childNamed(channel, 'image')
  const href = (image && textOf(childNamed(image, 'url'))) || textOfFirst(channel, ['logo', 'icon'])
  const url = href ? URL.parse(href, base) : null
  return url && /^https?:$/.test(url.protocol) ? url.href : null
}

/** The fields of an item as payload for quarantine. */
function payloadOf(item: Element): Record<string, string> {
  const fields = item.children.filter(isElement).slice(0, 20)
  return Object.fromEntries(fields.map((field) => [field.name, shortened(textOf(field), 200)]))
}
