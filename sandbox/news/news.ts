import { hashText } from '../market/noise.ts'
import type { Market } from '../market/market.ts'
import { publishers } from './publishers.ts'
import { renderFeed, renderSitemap } from './render-feed.ts'
import { createNewsWorld } from './stories.ts'
import type { Upstream, UpstreamReply, UpstreamRequest } from '../upstream.ts'

const html = { 'content-type': 'text/html; charset=utf-8' }
const challenge: UpstreamReply = {
  status: 403,
  body: '<!DOCTYPE html><html><head><title>Attention Required!</title></head><body>Sorry, you have been blocked</body></html>',
  headers: html,
}
const notFound: UpstreamReply = { status: 404, body: '<html><body>Not found</body></html>', headers: html }

/** Simulates a bot filter that checks user agent and Accept together and admits feed readers only. */
function isReader({ headers }: UpstreamRequest): boolean {
  return Boolean(headers['user-agent']) && /rss|atom|xml/.test(headers['accept'] ?? '')
}

/** Simulates the publishers' feeds, each under its name, with conditional requests. */
export function createNews(market: Market): Upstream {
  const world = createNewsWorld(market)

  return (request) => {
    const [name, ...path] = request.path
    const publisher = publishers.find((one) => one.name === name)
    if (publisher?.sitemap?.join('/') === path.join('/')) {
      const xml = renderSitemap(publisher, world.articlesAt(publisher, request.now), request.now)
      return { status: 200, body: xml, headers: { 'content-type': 'application/xml; charset=utf-8' } }
    }
    if (!publisher || path.join('/') !== publisher.path.join('/')) return notFound
    if (publisher.name === 'cointelegraph' && !isReader(request)) return challenge
    // Arc redirects to the path without a trailing slash.
    if (publisher.dialect === 'arc' && request.target.endsWith('/'))
      return { status: 308, body: '', headers: { location: request.target.replace(/\/$/, '') } }
    const articles = world.articlesAt(publisher, request.now)
    const etag = `W/"${hashText(market.seed, articles.map(({ story }) => story).join()).toString(16)}"`
    const newest = new Date((articles[0]?.publishedAt ?? 0) * 1000)
    const validators = { etag, 'last-modified': newest.toUTCString() }
    const known = request.headers['if-none-match']
    const since = Date.parse(request.headers['if-modified-since'] ?? '')
    if (known === undefined ? since >= newest.getTime() : known === etag)
      return { status: 304, body: '', headers: validators }
    const type = publisher.dialect === 'atom' ? 'application/atom+xml' : 'application/rss+xml'
    const headers = {
      ...validators,
      'content-type': `${type}; charset=utf-8`,
      'cache-control': 'max-age=300',
    }
    return { status: 200, body: renderFeed(publisher, articles, request.now), headers }
  }
}
