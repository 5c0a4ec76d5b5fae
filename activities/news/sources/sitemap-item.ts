import { canonicalLink, newsId } from './canonical-link.ts'
import { childNamed, type Element, textOf } from './feed-element.ts'
import { parseFeedDate } from './feed-date.ts'
import type { FeedItem } from './parse-feed.ts'
import { shortened } from './plain-text.ts'

/**
 * Reads an entry of a news sitemap (Google News protocol; no summaries, at most two days old). Returns the
 * article, or the reason why the entry is quarantined.
 */
export function sitemapItem(
  url: Element,
  { source, base, now }: { source: string; base: string; now: Date },
): FeedItem | string {
  const link = canonicalLink(textOf(childNamed(url, 'loc')), base)
  if (link === null) return 'the link is not a web address'
  const news = childNamed(url, 'news:news')
  const inNews = (name: string) => (news ? textOf(childNamed(news, name)) : '')
  const title = inNews('news:title')
  if (title === '') return 'no news title'
  const image = childNamed(url, 'image:image')
  const keywords = inNews('news:keywords').split(',')
  return {
    id: newsId({ source, link }),
    link,
    title: shortened(title, 300),
    summary: null,
    publishedAt: parseFeedDate(inNews('news:publication_date') || textOf(childNamed(url, 'lastmod')), now),
    imageUrl: image ? canonicalLink(textOf(childNamed(image, 'image:loc')), base) : null,
    imageWidth: null,
    keywords: [...new Set(keywords.map((word) => shortened(word.trim(), 60)))].filter(Boolean).slice(0, 10),
    hasContent: false,
    reactions: {},
  }
}
