import type { Page } from '../account/browse.ts'
import type { Visitor } from './filled-site.ts'

/** What a visitor found at an address. */
export interface Found extends Page {
  path: string
  /** Path of the router. */
  route: string
}

/** A form of a page that changes something. */
export interface FoundForm {
  action: string
  /** Page on which it is. */
  on: string
  /** Its hidden fields. */
  hidden: Record<string, string>
}

/** Pages of a route that differ more than by their data, such as errors and changelog of the reference. */
const SAMPLES: Record<string, number> = { '/v1/docs/:page': 4 }

const plain = (text: string) =>
  text
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
const attribute = (tag: string, name: string) => {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]
  return value === undefined ? undefined : plain(value)
}

export const isPage = ({ headers }: Page) => headers.get('content-type')?.startsWith('text/html') ?? false

/** Forms of a page that are sent by POST. */
export function formsOf({ path, text }: { path: string; text: string }): FoundForm[] {
  return [...text.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].flatMap(([, tag, inside]) => {
    if (attribute(tag!, 'method') !== 'post') return []
    const hidden = [...inside!.matchAll(/<input\b[^>]*>/g)]
      .filter(([input]) => attribute(input, 'type') === 'hidden')
      .map(([input]) => [attribute(input, 'name')!, attribute(input, 'value') ?? ''])
    return [
      {
        action: attribute(tag!, 'action') ?? path,
        on: path,
        hidden: Object.fromEntries(hidden) as Record<string, string>,
      },
    ]
  })
}

/** Addresses on the same host to which a page leads, files that it loads included. */
export function linksOf({ path, text }: { path: string; text: string }, origin: string): string[] {
  const tags = [...text.matchAll(/<(a|script|form)\b[^>]*>/g)]
  const links = tags.flatMap(([tag, name]) => {
    if (name === 'form' && attribute(tag, 'method') === 'post') return []
    return attribute(tag, name === 'a' ? 'href' : name === 'script' ? 'src' : 'action') ?? []
  })
  return links.flatMap((link) => {
    const target = new URL(link, new URL(path, origin))
    return target.origin === origin ? [target.pathname + target.search] : []
  })
}

/**
 * Whether somebody who reads this page can go on: a link or a form, besides the link to its own content. What a popup
 * has done ends with its window.
 */
export const leadsOn = ({ text }: { text: string }): boolean =>
  /<form\b|close this window/i.test(text) ||
  [...text.matchAll(/<a\b[^>]*>/g)].some(([tag]) => !/href="#main"/.test(tag))

/**
 * Follows all links from where the visitor begins, as far as the visitor's own pages go, and reads a page of each
 * route.
 */
export async function crawl(
  visitor: Visitor,
  { origin, routeOf }: { origin: string; routeOf: ReadonlyMap<string, string> },
): Promise<{ found: Found[]; links: { from: string; to: string }[] }> {
  const { browser, owns } = visitor
  const queue = [...visitor.from]
  const seen = new Set(queue)
  const read = new Map<string, number>()
  const found: Found[] = []
  const links: { from: string; to: string }[] = []
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const likely = routeOf.get(path)
    if (likely !== undefined && (read.get(likely) ?? 0) >= (SAMPLES[likely] ?? 1)) continue
    // Which route serves an address is known when it was asked for.
    const answer = await browser.send(path, { headers: { accept: 'text/html' } })
    const route = routeOf.get(path)!
    const times = read.get(route) ?? 0
    if (times >= (SAMPLES[route] ?? 1)) continue
    read.set(route, times + 1)
    const one = { ...answer, path, route }
    found.push(one)
    const next = [
      ...(isPage(one) ? linksOf(one, origin) : []),
      ...(one.location === null ? [] : [one.location]),
    ]
    for (const to of next) {
      links.push({ from: path, to })
      if (!to.startsWith('/') || seen.has(to) || !owns.test(to)) continue
      seen.add(to)
      queue.push(to)
    }
  }
  return { found, links }
}
