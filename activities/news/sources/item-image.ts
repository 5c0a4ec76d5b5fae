import { DomUtils, parseDocument } from 'htmlparser2'
import { childrenNamed, type Element } from './feed-element.ts'

export interface ItemImage {
  url: string
  /** Declared width in pixels. */
  width: number | null
}

const IMAGE_FILE = /\.(jpe?g|png|webp|gif|avif)(\?|$)/i
/** Narrower pictures are tracking pixels. */
const SMALLEST = 32

/**
 * Returns the picture of an item: the widest media:content, media:thumbnail, an enclosure, itunes:image, or
 * the first picture in its HTML; null: none. Relative URLs are resolved against `base`.
 */
export function itemImage(
  item: Element,
  { html, base }: { html: readonly string[]; base: string },
): ItemImage | null {
  const media = DomUtils.getElementsByTagName('media:content', item).filter(isPicture)
  const widest = media.toSorted((a, b) => (widthOf(b) ?? 0) - (widthOf(a) ?? 0))
  const candidates = [
    ...widest.map((element) => ({ href: element.attribs['url'], width: widthOf(element) })),
    ...DomUtils.getElementsByTagName('media:thumbnail', item).map((element) => ({
      href: element.attribs['url'],
      width: widthOf(element),
    })),
    ...childrenNamed(item, 'enclosure')
      .filter(isPicture)
      .map((element) => ({ href: element.attribs['url'], width: null })),
    ...childrenNamed(item, 'itunes:image').map((element) => ({ href: element.attribs['href'], width: null })),
  ]
  for (const { href, width } of candidates) {
    const url = pictureUrl(href, base)
    if (url !== null) return { url, width }
  }
  for (const fragment of html) {
    const found = firstPicture(fragment, base)
    if (found) return found
  }
  return null
}

function isPicture({ attribs }: Element): boolean {
  const kind = attribs['medium'] ?? attribs['type']
  return kind === undefined ? IMAGE_FILE.test(attribs['url'] ?? '') : kind.startsWith('image')
}

function firstPicture(html: string, base: string): ItemImage | null {
  if (!html.includes('<img')) return null
  for (const picture of DomUtils.getElementsByTagName('img', parseDocument(html))) {
    const width = widthOf(picture)
    const url = pictureUrl(picture.attribs['src'], base)
    if (url !== null && (width === null || width >= SMALLEST)) return { url, width }
  }
  return null
}

function widthOf({ attribs }: Element): number | null {
  const width = attribs['width'] ?? ''
  return /^\d{1,5}$/.test(width) ? Number(width) : null
}

function pictureUrl(href: string | undefined, base: string): string | null {
  const url = href === undefined || href.trim() === '' ? null : URL.parse(href.trim(), base)
  return url && /^https?:$/.test(url.protocol) ? url.href : null
}
