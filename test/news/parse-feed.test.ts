import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeText } from '../../activities/decode-text.ts'
import { canonicalLink, newsId } from '../../activities/news/sources/canonical-link.ts'
import { parseFeedDate } from '../../activities/news/sources/feed-date.ts'
import { parseFeed } from '../../activities/news/sources/parse-feed.ts'
import { plainText, shortened } from '../../activities/news/sources/plain-text.ts'

const NOW = new Date('2026-11-21T12:00:00Z')
const OPTIONS = { source: 'wire', url: 'https://wire.example/feed', now: NOW }
const rss = (...items: string[]) =>
  parseFeed(
    `<rss version="2.0"><channel><link>https://wire.example/</link>${items.join('')}</channel></rss>`,
    OPTIONS,
  )
const item = (inner: string) => `<item><title>T</title><link>https://wire.example/a</link>${inner}</item>`

describe('dates of feeds', () => {
  test.each([
    ['Fri, 20 Nov 2026 14:03:11 +0000', '2026-11-20T14:03:11.000Z'],
    ['Fri, 20 Nov 2026 14:03:11 GMT', '2026-11-20T14:03:11.000Z'],
    ['20 Nov 26 14:03 EST', '2026-11-20T19:03:00.000Z'],
    ['Thu, 01 Aug 2019 16:15 EDT', '2019-08-01T20:15:00.000Z'],
    ['Thu, 06 Feb 2020 00:00:00 PST', '2020-02-06T08:00:00.000Z'],
    ['Tue, 15 Nov 2022 20:15:04 Z', '2022-11-15T20:15:04.000Z'],
    ['mer, 16 nov 2022 00:38:15 +0100', '2022-11-15T23:38:15.000Z'],
    ['Sat, Dec 16 2023 02:02:33 PM', '2023-12-16T14:02:33.000Z'],
    ['November 20, 2026 12:30 AM', '2026-11-20T00:30:00.000Z'],
    ['Wed, 02 Sept 2026 09:00:00 +0530', '2026-09-02T03:30:00.000Z'],
    ['Sunday, 17 Dec 2023 00:58:40 -0500', '2023-12-17T05:58:40.000Z'],
    ['2026-11-20T14:03:11.123456+02:00', '2026-11-20T12:03:11.123Z'],
    ['2026-11-20 14:03', '2026-11-20T14:03:00.000Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['Fri, 20 Nov 2026 14:03:11 IST', '2026-11-20T08:33:11.000Z'],
    ['Fri, 20 Nov 2026 14:03:11 +0000 (UTC)', '2026-11-20T14:03:11.000Z'],
  ])('parses %s', (text, expected) => expect(parseFeedDate(text, NOW)?.toISOString()).toBe(expected))

  test.each([
    '',
    'yesterday',
    '0001-01-01T00:00:00Z',
    'Thu, 01 Jan 1970 00:00:00 GMT',
    '30 Feb 2026 10:00 GMT',
    '2026-13-01',
    'Fri, 20 Nov 2026 25:00:00 GMT',
    '2027-01-01T00:00:00Z',
    '20 Foo 2026',
  ])('rejects "%s" as a date', (text) => expect(parseFeedDate(text, NOW)).toBeNull())

  test('returns a time from 1990 to tomorrow or null for any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...Array.from('0123456789 :-+TZnovGMTaps,.')), maxLength: 40 }),
        (text) => {
          const ms = parseFeedDate(text, NOW)?.getTime() ?? NOW.getTime()
          return ms >= Date.UTC(1990, 0, 1) && ms <= NOW.getTime() + 86_400_000
        },
      ),
    )
  })
})

describe('the same article', () => {
  const id = (href: string) => newsId({ source: 'wire', link: canonicalLink(href, OPTIONS.url)! })
  test.each([
    'https://wire.example/a/b?utm_source=rss&utm_medium=feed',
    'https://wire.example/a/b/',
    'http://www.wire.example/a/b#comments',
    'https://WIRE.example/a/b?fbclid=x&ref=rss_home',
    '/a/b',
    '  https://wire.example/a/b\n',
  ])('has the same id for %s', (href) => expect(id(href)).toBe(id('https://wire.example/a/b')))

  test('has another id with other parameters or another source, but not with another order', () => {
    expect(id('https://wire.example/?p=1')).not.toBe(id('https://wire.example/?p=2'))
    expect(id('https://wire.example/?b=1&a=2')).toBe(id('https://wire.example/?a=2&b=1'))
    expect(id('https://wire.example/a?source=ethereum')).not.toBe(id('https://wire.example/a'))
    expect(id('https://wire.example/live#post-1')).not.toBe(id('https://wire.example/live#post-2'))
    const link = 'https://wire.example/a/b'
    expect(newsId({ source: 'other', link })).not.toBe(newsId({ source: 'wire', link }))
    expect(id(link)).toMatch(/^[0-9a-f]{64}$/)
  })

  test.each(['javascript:alert(1)', 'mailto:a@b.example', 'data:text/html,x', 'http://'])(
    'rejects the link %s',
    (href) => expect(canonicalLink(href, OPTIONS.url)).toBeNull(),
  )
})

describe('text without HTML', () => {
  test.each([
    ['<p>Fish &amp; chips</p><p>now</p>', 'Fish & chips now'],
    ['a < b and b > c', 'a < b and b > c'],
    ['<script>alert(1)</script>Safe<style>p{}</style>', 'Safe'],
    ['&lt;img src=x onerror=alert(1)&gt;hello', 'hello'],
    ['&amp;lt;script&amp;gt;alert(1)&amp;lt;/script&amp;gt;rest', 'rest'],
    ['caf\u0065\u0301 \u202Eevil\u202C \u0000\u0007x', 'caf\u00E9 evil x'],
    ['AT&nbsp;T<br>line&#8217;s', 'AT T line’s'],
    ['It <em>is</em> one<b>word</b>', 'It is oneword'],
    ['<ul><li>one<li>two</ul>', 'one two'],
    [`${'<b>'.repeat(50_000)}deep`, 'deep'],
  ])('removes tags and entities, case %#', (html, text) => expect(plainText(html)).toBe(text))

  test('never looks like a tag', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '&lt;',
      '&gt;',
      '&amp;',
      'lt;',
      'script',
      'a',
      '/',
      '!--',
      '"',
      ' ',
      '&#60;',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
        const text = plainText(pieces.join(''))
        expect(text).not.toMatch(/<[a-z!/?]/i)
        expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u)
      }),
      { numRuns: 500 },
    )
  })

  test('is cut at a word and never within a character', () => {
    expect(shortened('one two three', 9)).toBe('one two…')
    expect(shortened('x'.repeat(20), 5)).toBe('xxxx…')
    expect(shortened(`abc${'😀'.repeat(9)}`, 6)).toBe('abc😀…')
  })
})

describe('dialects', () => {
  test('RSS: prefers the widest media:content over thumbnail and enclosure', () => {
    const [first] = rss(
      item(`<media:group><media:content url="/s.jpg" width="100"/><media:content url="/l.jpg" width="900" type="image/jpeg"/>
        <media:content url="/v.mp4" type="video/mp4" width="4000"/></media:group><media:thumbnail url="/t.jpg"/>`),
    ).items
    expect(first).toMatchObject({ imageUrl: 'https://wire.example/l.jpg', imageWidth: 900 })
  })

  test.each([
    ['<media:thumbnail url="https://i.example/t.jpg"/>', 'https://i.example/t.jpg'],
    ['<enclosure url="https://i.example/e.png" type="image/png"/>', 'https://i.example/e.png'],
    ['<enclosure url="https://i.example/e.mp3" type="audio/mpeg"/>', null],
    [
      '<description><![CDATA[<img src="/p.gif" width="1"><img src="/i.jpg">x]]></description>',
      'https://wire.example/i.jpg',
    ],
    ['<content:encoded>&lt;img src="/c.jpg"&gt;</content:encoded>', 'https://wire.example/c.jpg'],
    [
      '<description><![CDATA[<img src="data:x"><img src=" "><img src="/narrow.jpg" width="31"><img src="/least.jpg" width="32">]]></description>',
      'https://wire.example/least.jpg',
    ],
    ['<media:content url="javascript:alert(1)" medium="image"/>', null],
    [
      '<media:content url="javascript:alert(1)" medium="image"/><media:thumbnail url="https://i.example/t.jpg"/>',
      'https://i.example/t.jpg',
    ],
    ['', null],
  ])('RSS: finds the picture of %s', (inner, url) => expect(rss(item(inner)).items[0]!.imageUrl).toBe(url))

  test('RSS: reads all other fields of an article', () => {
    const [first] = rss(
      item(`<pubDate>Fri, 20 Nov 2026 14:03:11 EST</pubDate><category>Markets</category><category>Markets</category>
        <category> </category><description>&lt;p&gt;Short&amp;nbsp;one&lt;/p&gt;</description><slash:comments>12</slash:comments>
        <content:encoded><![CDATA[${'<p>long text</p>'.repeat(200)}]]></content:encoded>`),
    ).items
    expect(first).toEqual({
      id: newsId({ source: 'wire', link: 'https://wire.example/a' }),
      link: 'https://wire.example/a',
      title: 'T',
      summary: 'Short one',
      publishedAt: new Date('2026-11-20T19:03:11Z'),
      imageUrl: null,
      imageWidth: null,
      keywords: ['Markets'],
      hasContent: true,
      reactions: { comments: 12 },
    })
  })

  test('RDF (RSS 0.9 and 1.0): reads items beside the channel', () => {
    const { items } = parseFeed(
      `<rdf:RDF xmlns="http://purl.org/rss/1.0/"><channel><title>c</title></channel>
       <item rdf:about="x"><title>One</title><link>https://wire.example/1</link><dc:date>2026-11-20T10:00:00+01:00</dc:date></item></rdf:RDF>`,
      OPTIONS,
    )
    expect(items).toMatchObject([{ title: 'One', publishedAt: new Date('2026-11-20T09:00:00Z') }])
  })

  test('Atom: reads the alternate link, prefers published over updated, reads XHTML content', () => {
    const { items } = parseFeed(
      `<feed><entry><title type="html">A &amp;amp; B</title><link rel="self" href="/self"/><link href="/x?utm_source=a"/>
       <updated>2026-11-20T12:00:00Z</updated><published>2026-11-19T12:00:00Z</published>
       <content type="xhtml"><div>Some <b>bold</b> text</div></content></entry></feed>`,
      OPTIONS,
    )
    expect(items).toMatchObject([
      { title: 'A & B', link: 'https://wire.example/x', publishedAt: new Date('2026-11-19T12:00:00Z') },
    ])
    expect(items[0]!.summary).toBe('Some bold text')
  })

  test('news sitemaps: reads the fields of an article', () => {
    const { items, quarantined } = parseFeed(
      `<urlset><url><loc>https://wire.example/a</loc><news:news><news:publication_date>2026-11-20T10:00:00Z</news:publication_date>
       <news:title>A &amp; B</news:title><news:keywords>bitcoin, etf, </news:keywords></news:news><image:image><image:loc>https://i.example/a.jpg</image:loc></image:image></url>
       <url><loc>https://wire.example/about</loc></url><url><loc>javascript:x</loc><news:news><news:title>T</news:title></news:news></url></urlset>`,
      OPTIONS,
    )
    expect(items).toMatchObject([
      {
        title: 'A & B',
        link: 'https://wire.example/a',
        keywords: ['bitcoin', 'etf'],
        imageUrl: 'https://i.example/a.jpg',
      },
    ])
    expect(items[0]!.publishedAt).toEqual(new Date('2026-11-20T10:00:00Z'))
    expect(items[0]!.id).toBe(rss(item('')).items[0]!.id)
    expect(items[0]!.hasContent).toBe(false)
    expect(quarantined.map(({ reason }) => reason)).toEqual([
      'no news title',
      'the link is not a web address',
    ])
  })

  test('merges repeated articles, quarantines items without a link, and uses the text as a missing title', () => {
    const found = rss(
      item(''),
      '<item><title>T2</title><link>https://wire.example/a?utm_source=x</link></item>',
      '<item><title>lost</title></item>',
      '<item><title>bad</title><link>javascript:alert(1)</link></item>',
      '<item><description>Only text</description><guid>https://wire.example/g</guid></item>',
      '<item><guid isPermaLink="false">https://wire.example/h</guid><title>x</title></item>',
      '<item><link>https://wire.example/none</link></item>',
    )
    expect(found.items.map(({ title }) => title)).toEqual(['T', 'Only text'])
    expect(found.repeated).toBe(1)
    expect(found.quarantined.map(({ reason }) => reason)).toEqual([
      'no link',
      'the link is not a web address',
      'no link',
      'neither title nor text',
    ])
  })

  test.each([
    ['<!DOCTYPE html><html><body>Just a moment...</body></html>', /no feed/],
    ['{"error":"gone"}', /no feed/],
    ['', /no feed/],
    ['<rss><channel><item><title>T</title><link>https://wire.exam', /breaks off/],
  ])('throws because %s is no feed', (text, reason) => expect(() => parseFeed(text, OPTIONS)).toThrow(reason))

  test('does not expand entities that the document declares', () => {
    const bomb = `<!DOCTYPE rss [<!ENTITY a "AAAA"><!ENTITY b "&a;&a;&a;">]><rss><channel>${item('<description>&b;</description>')}</channel></rss>`
    expect(parseFeed(bomb, OPTIONS).items[0]!.summary).toBe('&b;')
  })
})

test('decodes by the character set of the header, else of the document', () => {
  const bytes = (text: string) => Buffer.from(text, 'latin1')
  const xml = '<?xml version="1.0" encoding="ISO-8859-1"?><a>Diputaci\u00F3n</a>'
  expect(decodeText(bytes(xml), 'text/xml')).toBe(xml)
  expect(decodeText(bytes('caf\u00E9'), 'text/xml; charset=ISO-8859-1')).toBe('caf\u00E9')
  expect(decodeText(Buffer.from('café'), 'application/json')).toBe('café')
  expect(decodeText(Buffer.from('café'), 'text/xml; charset=klingon')).toBe('café')
})
