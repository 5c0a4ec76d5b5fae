import { expect, test } from 'vitest'
import { docsOperations } from '../../api/docs/docs-operations.ts'
import { changelog } from '../../api/docs/changelog-page.ts'
import { creditsPage } from '../../api/docs/credits-page.ts'
import { DOCS_SCRIPTS, renderers } from '../../api/docs/docs-site.ts'
import { searchPages } from '../../api/docs/search-page.ts'
import { openApiDocument } from '../../api/openapi.ts'
import { routes } from '../../api/routes.ts'
import { probeRoutes } from './probe-routes.ts'

const MOST_BYTES = 50 * 1024
const document = openApiDocument(routes)
const search = searchPages(document)
const pages = new Map([
  ...[...renderers(document)].map(([path, render]) => [path, render()] as const),
  ['/v1/docs/search', search('q=a')] as const,
  ['/v1/docs/credits', creditsPage(routes, '')] as const,
])
const operations = docsOperations(document)

/** Paths of the scripts that a page loads at once. */
const scriptsOf = (html: string) => [...html.matchAll(/<script src="([^"]+)"/g)].map(([, path]) => path!)

test('there is a page for each tag and operation', () => {
  for (const { href } of operations) expect([...pages.keys()]).toContain(href)
  expect(pages.size).toBeGreaterThan(operations.length + document.tags.length)
})

test('pages are small, load only our own scripts, and their links lead somewhere', () => {
  const known = [...pages.keys()]
  for (const [path, html] of pages) {
    const scripts = scriptsOf(html).map((script) => DOCS_SCRIPTS[script as keyof typeof DOCS_SCRIPTS])
    const bytes = [html, ...scripts].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
    expect([path, Math.max(bytes, MOST_BYTES)]).toEqual([path, MOST_BYTES])
    expect(html).not.toMatch(/<(?:img|iframe)|@import|[:\s]url\(|<[^>]+ (?:style|on\w+)=/)
    const links = [...html.matchAll(/ href="(\/v1\/docs[^"]*)"/g)].map(([, link]) => link!)
    expect([path, links.length]).not.toEqual([path, 0])
    for (const link of links) {
      const [to, anchor] = link.split('#') as [string, string?]
      expect([link, known.includes(to)]).toEqual([link, true])
      if (anchor !== undefined)
        expect([link, pages.get(to)!.includes(`id="${anchor}"`)]).toEqual([link, true])
    }
  }
})

test('the first page lists every operation under the anchor that it had when there was one page', () => {
  const html = pages.get('/v1/docs')!
  for (const { operation, href } of operations)
    expect(html).toMatch(new RegExp(`<li id="${operation.operationId}">\\s*<a href="${href}"`))
  for (const { description } of document.tags) expect(html).toContain(description.slice(0, 30))
})

test('the page of an operation has a field for every parameter and body, under its name in the API', () => {
  for (const { method, path, href, operation } of operations) {
    const [form] = new RegExp(`data-method="${method}" data-path="${path}".*?</form>`, 's').exec(
      pages.get(href)!,
    )!
    const fields = [...form.matchAll(/data-name="([^"]*)"\s+data-in="(\w+)"/g)].map(([, name, place]) => [
      name,
      place,
    ])
    const wanted = operation.parameters.filter(({ name }) => !name.includes('~'))
    expect([href, fields]).toEqual([href, wanted.map(({ name, in: place }) => [name, place])])
    expect([href, form.includes('data-in="body"')]).toEqual([href, operation.requestBody !== undefined])
  }
})

test('text of the table is escaped, and an operation without a recorded call has a page without an example', () => {
  const hostile = openApiDocument([{ ...probeRoutes[0]!, summary: '<img src=x onerror=alert(1)>' }])
  const { href } = docsOperations(hostile)[0]!
  const shown = renderers(hostile)
  for (const path of ['/v1/docs', href]) expect(shown.get(path)!()).not.toContain('<img')
  expect(shown.get(href)!()).not.toContain('Answer of the example')
  expect(pages.get('/v1/docs/coins/getCoin')).toContain('Answer of the example')
})

/** Links of the results of a search, the best first. */
const found = (text: string) =>
  [...search(`q=${encodeURIComponent(text)}`).matchAll(/<li>\s*<a href="([^"]+)"/g)].map(([, href]) => href)

test('a search finds endpoints by name, path, parameter and description, tags, and errors by their text', () => {
  expect(found('getCoinCharts')[0]).toBe('/v1/docs/coins/getCoinCharts')
  expect(found('/wallet/balance/many')).toContain('/v1/docs/wallets/getWalletBalanceMany')
  expect(found('fear greed')[0]).toMatch(/^\/v1\/docs\/insights\/getInsightsFearAndGreed/)
  expect(found('hideUnidentifiedCoins')).toContain('/v1/docs/wallets/getWalletTransactions')
  expect(found('webhooks')[0]).toBe('/v1/docs/webhooks')
  expect(found('Transactions not synced')[0]).toBe('/v1/docs/errors#status-409')
  expect(found('rate limit exceeded')).toContain('/v1/docs/errors#status-429')
  expect(found('xyzzy')).toEqual([])
  expect(found('')).toEqual([])
  expect(found('$%&')).toEqual([])
  expect(search('q=%3Cimg+src%3Dx%3E')).not.toContain('<img')
  expect(found('a').length).toBeLessThanOrEqual(30)
})

/** Figures of the last paragraph and the cells of the calculator. */
const worked = (query: string) => {
  const html = creditsPage(routes, query)
  const [, said] = /<p role="status">(.*?)<\/p>/s.exec(html) ?? []
  return said
    ?.replaceAll(/<[^>]+>|\s+/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim()
}

test('the calculator multiplies calls, networks and days, and names the plan that has enough', () => {
  expect(worked('')).toBeUndefined()
  expect(worked('endpoint=getCoin&calls=100&items=1')).toBe('3,000 credits. The plan free has enough.')
  // 40 credits for each network, 400 for all.
  const balance = routes.find(({ path }) => path === '/wallet/balance')!
  expect([balance.credits, balance.multiplied!.creditsAll]).toEqual([40, 400])
  expect(worked('endpoint=getWalletBalance&calls=10&items=3')).toBe(
    '36,000 credits. The plan starter has enough.',
  )
  expect(worked('endpoint=getWalletBalance&calls=10&items=0')).toBe(
    '120,000 credits. The plan starter has enough.',
  )
  expect(
    worked(
      'endpoint=getCoin&calls=100&items=1&endpoint=&calls=9&items=9&endpoint=getWalletBalance&calls=10&items=3',
    ),
  ).toBe('39,000 credits. The plan starter has enough.')
  expect(worked('endpoint=getWalletBalance&calls=99999999999&items=-4')).toContain('No plan has so many')
})

test('the calculator survives what no form sends', () => {
  for (const query of [
    'endpoint=x&calls=1',
    'calls=5',
    'endpoint=getCoin',
    'endpoint=getCoin&calls=x&items=NaN',
    '%',
  ])
    expect(creditsPage(routes, query)).toContain('Work it out')
  expect(worked('endpoint=getCoin')).toBe('30 credits. The plan free has enough.')
  const many = Array.from({ length: 500 }, () => 'endpoint=getCoin&calls=1&items=1').join('&')
  expect(creditsPage(routes, many).length).toBeLessThan(50_000)
  expect(creditsPage(routes, 'endpoint=%3Cimg%3E')).not.toContain('<img')
})

test('the changelog is a page of headings and lists', () => {
  const { html } = changelog(
    '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- `a` <b> [c](#d)\n- e\n\nText.\n',
  )
  expect(html.replaceAll('\n', '')).toBe(
    '<h2>Unreleased</h2><h3>Added</h3><ul><li><code>a</code> &#60;b&#62; c</li><li>e</li></ul><p>Text.</p>',
  )
  expect(pages.get('/v1/docs/changelog')).toContain('<h2>Unreleased</h2>')
  const long = changelog(`## [2.0]\n\n${'- `line`\n'.repeat(10_000)}`).html
  expect(long.length).toBeLessThan(100_000)
  expect(long).toContain('Older changes are in CHANGELOG.md')
})
