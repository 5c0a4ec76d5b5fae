import { readFileSync } from 'node:fs'
import { pageHeaders } from '../../web/parts/page.ts'
import { notFound } from '../errors.ts'
import type { OpenApiDocument } from '../openapi.ts'
import type { PublicPage } from '../public-pages.ts'
import type { Route } from '../route.ts'
import { changelogPage } from './changelog-page.ts'
import { creditsPage } from './credits-page.ts'
import { docsOperations, tagHref } from './docs-operations.ts'
import { errorsPage } from './errors-page.ts'
import { operationPage } from './operation-page.ts'
import { searchPages } from './search-page.ts'
import { startPage } from './start-page.ts'
import { tagPage } from './tag-page.ts'

const script = (name: string) => readFileSync(new URL(`./${name}`, import.meta.url), 'utf8')
/** Our own scripts by path. */
export const DOCS_SCRIPTS = {
  '/v1/docs/call-form.js': script('call-form.js'),
  '/v1/docs/result-views.js': script('result-views.js'),
  '/v1/docs/old-anchors.js': script('old-anchors.js'),
}

const HEADERS = pageHeaders({ scripted: true })

/** The pages of the API reference. They load nothing from other hosts. */
export function docsSite(document: OpenApiDocument, routes: readonly Route[]): PublicPage[] {
  const pages = renderers(document)
  const search = searchPages(document)
  const rendered = new Map<string, string>()
  /** A page is rendered when it is first read. */
  const read = (path: string): string => {
    const known = rendered.get(path)
    if (known !== undefined) return known
    const render = pages.get(path)
    if (!render) throw notFound()
    const text = render()
    rendered.set(path, text)
    return text
  }
  return [
    ...['/v1/docs', '/v1/docs/:page', '/v1/docs/:tag/:operation'].map((url) => ({
      url,
      status: 200,
      headers: HEADERS,
      body: ({ path }: { path: string }) => read(path),
    })),
    {
      url: '/v1/docs/search',
      status: 200,
      headers: HEADERS,
      body: ({ query }: { query: string }) => search(query),
    },
    {
      url: '/v1/docs/credits',
      status: 200,
      headers: HEADERS,
      body: ({ query }: { query: string }) => creditsPage(routes, query),
    },
    ...Object.entries(DOCS_SCRIPTS).map(([url, body]) => ({
      url,
      status: 200,
      headers: { 'content-type': 'text/javascript; charset=utf-8' },
      body,
    })),
    { url: '/docs', status: 308, headers: { location: '/v1/docs' }, body: '' },
  ]
}

/** The pages by path, besides those that answer a form. */
export function renderers(document: OpenApiDocument): ReadonlyMap<string, () => string> {
  const operations = docsOperations(document)
  return new Map<string, () => string>([
    ['/v1/docs', () => startPage(document, '/v1/docs/old-anchors.js')],
    ['/v1/docs/errors', errorsPage],
    ['/v1/docs/changelog', changelogPage],
    ...document.tags.map((tag): [string, () => string] => [
      tagHref(tag.name),
      () =>
        tagPage(
          tag,
          operations.filter((one) => one.tag === tag.name),
        ),
    ]),
    ...operations.map((one): [string, () => string] => [
      one.href,
      () => operationPage(one, document, '/v1/docs/call-form.js'),
    ]),
  ])
}
