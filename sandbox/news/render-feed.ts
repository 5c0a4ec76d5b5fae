import { isoSeconds } from '../upstream.ts'
import type { Publisher } from './publishers.ts'
import type { Article } from './stories.ts'

const escape = (text: string): string =>
  text.replace(/[&<>"]/g, (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char]!)
const cdata = (text: string): string => `<![CDATA[${text}]]>`

const hosts = (publisher: Publisher) => ({
  site: `https://${publisher.name}.example`,
  images: `https://images.${publisher.name}.example`,
})
const imageOf = (publisher: Publisher, article: Article): string =>
  `${hosts(publisher).images}/${article.story}.jpg?w=1200&h=630`
const linkOf = (publisher: Publisher, article: Article): string =>
  `${hosts(publisher).site}/${article.category.toLowerCase()}/${article.slug}`

/** Formats as RFC 822 in UTC, or in the named zone of New York (EST). */
function rfc822(at: number, zone: '+0000' | 'GMT' | 'EST'): string {
  const local = zone === 'EST' ? at - 5 * 3600 : at
  return new Date(local * 1000).toUTCString().replace('GMT', zone)
}

const paragraphs = (article: Article): string =>
  Array.from(
    { length: 8 },
    (_, i) =>
      `<p>${escape(article.summary)} Paragraph ${i + 1} of an article that the sandbox invented, as long as such paragraphs are.</p>`,
  ).join('\n')

function arcItem(publisher: Publisher, article: Article): string {
  const link = linkOf(publisher, article)
  return `<item><title>${cdata(article.title)}</title><link>${link}</link><guid isPermaLink="false">${article.story}-arc</guid>
<dc:creator>${cdata('Sandbox Desk')}</dc:creator><description>${cdata(article.summary)}</description>
<pubDate>${rfc822(article.publishedAt, '+0000')}</pubDate><category>${cdata(article.category)}</category>
<media:content url="${escape(imageOf(publisher, article))}" type="image/jpeg" width="1200" height="630"><media:description type="plain">${cdata('Chart')}</media:description></media:content></item>`
}

function cdataItem(publisher: Publisher, article: Article, now: number): string {
  const tracked = `${linkOf(publisher, article)}?utm_source=rss_feed&utm_medium=rss&utm_campaign=rss_partner_inbound&utm_content=${Math.floor(now / 3600)}`
  return `<item><title>${cdata(article.title)}</title><link>${escape(tracked)}</link><guid isPermaLink="true">${escape(tracked)}</guid>
<pubDate>${rfc822(article.publishedAt, '+0000')}</pubDate><dc:creator>Cointelegraph by Sandbox Desk</dc:creator>
${['Cryptocurrencies', article.category, ...(article.symbol ? [article.symbol] : [])].map((word) => `<category>${cdata(word)}</category>`).join('')}
<enclosure url="${escape(imageOf(publisher, article))}" length="0" type="image/jpeg" />
<description>${cdata(`<p style="float:right;"><img src="${imageOf(publisher, article)}" width="240" height="120"></p><p>${escape(article.summary)}</p>`)}</description></item>`
}

function htmlItem(publisher: Publisher, article: Article): string {
  const picture = `<p><img src="${imageOf(publisher, article)}" width="800"/></p><p>${escape(article.summary)}</p><img src="${hosts(publisher).site}/pixel.gif" width="1" height="1">`
  return `<item><title>${escape(article.title)}</title><link>${linkOf(publisher, article)}/</link>
<guid isPermaLink="false">${hosts(publisher).site}/?p=${article.story}</guid><pubDate>${rfc822(article.publishedAt, 'EST')}</pubDate>
<description>${escape(picture)}</description><media:thumbnail url="${escape(imageOf(publisher, article))}" width="800" height="420"/></item>`
}

function wordpressItem(publisher: Publisher, article: Article): string {
  const link = linkOf(publisher, article)
  return `<item><title>${escape(article.title).replace("'", '&#8217;')}</title><link>${link}/</link><comments>${link}/#respond</comments>
<dc:creator>${cdata('Sandbox Desk')}</dc:creator><pubDate>${rfc822(article.publishedAt, '+0000')}</pubDate>
<category>${cdata(article.category)}</category><guid isPermaLink="false">${hosts(publisher).site}/?p=${article.story}</guid>
<description>${cdata(`<p>${escape(article.summary)} [&#8230;]</p><p>The post <a href="${link}">${escape(article.title)}</a> appeared first.</p>`)}</description>
<content:encoded>${cdata(`<figure><img width="1024" height="576" src="${imageOf(publisher, article)}" /></figure>${paragraphs(article)}`)}</content:encoded>
<slash:comments>${article.comments}</slash:comments></item>`
}

function atomEntry(publisher: Publisher, article: Article): string {
  return `<entry><id>tag:${publisher.name}.example,2026:${article.story}</id><title type="html">${escape(article.title)}</title>
<link rel="alternate" type="text/html" href="${linkOf(publisher, article)}#top"/><published>${isoSeconds(article.publishedAt)}</published>
<updated>${isoSeconds(article.publishedAt + 600)}</updated><author><name>Sandbox Desk</name></author><category term="${article.category.toLowerCase()}" label="${article.category}"/>
<summary type="html">${escape(`<p>${escape(article.summary)}</p>`)}</summary></entry>`
}

function rdfItem(publisher: Publisher, article: Article): string {
  const link = linkOf(publisher, article)
  return `<item rdf:about="${link}"><title>${escape(article.title)}</title><link>${link}</link>
<description>${escape(article.summary)}</description><dc:date>${isoSeconds(article.publishedAt).replace('Z', '+00:00')}</dc:date><dc:subject>${article.category}</dc:subject></item>`
}

const namespaces = `xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:slash="http://purl.org/rss/1.0/modules/slash/" xmlns:media="http://search.yahoo.com/mrss/"`

/** Renders a publisher's news sitemap: articles of the last two days, without summaries. */
export function renderSitemap(publisher: Publisher, articles: Article[], now: number): string {
  const urls = articles
    .filter(({ publishedAt }) => publishedAt > now - 2 * 86_400)
    .map(
      (
        article,
      ) => `<url><loc>${linkOf(publisher, article)}</loc><news:news><news:publication><news:name>${publisher.title}</news:name><news:language>en</news:language></news:publication>
<news:publication_date>${isoSeconds(article.publishedAt)}</news:publication_date><news:title>${escape(article.title)}</news:title><news:keywords>${article.category}, crypto</news:keywords></news:news>
<image:image><image:loc>${escape(imageOf(publisher, article))}</image:loc></image:image></url>`,
    )
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
${urls.join('\n')}
</urlset>`
}

/** Renders a publisher's feed in the dialect of its software. */
export function renderFeed(publisher: Publisher, articles: Article[], now: number): string {
  const { site } = hosts(publisher)
  const items = {
    arc: arcItem,
    cdata: cdataItem,
    html: htmlItem,
    wordpress: wordpressItem,
    atom: atomEntry,
    rdf: rdfItem,
  }[publisher.dialect]
  const body = articles.map((article) => items(publisher, article, now)).join('\n')
  const newest = articles[0]?.publishedAt ?? now
  if (publisher.dialect === 'atom')
    return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>${publisher.title}</title><id>${site}/</id><link rel="self" href="${site}/feed"/><link href="${site}/"/>
<logo>${site}/logo.png</logo><updated>${isoSeconds(newest)}</updated>
${body}
</feed>`
  const head = `<title>${publisher.title}</title><link>${site}</link><description>News of the sandbox</description>`
  if (publisher.dialect === 'rdf')
    return `<?xml version="1.0" encoding="UTF-8"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel rdf:about="${site}">${head}</channel>
${body}
</rdf:RDF>`
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" ${namespaces}><channel>${head}<language>en-us</language><lastBuildDate>${rfc822(newest, 'GMT')}</lastBuildDate>
<image><url>${site}/logo.png</url><title>${publisher.title}</title><link>${site}</link></image>
${body}
</channel></rss>
<!-- served from the cache -->`
}
