import { docsSite } from './docs/docs-site.ts'
import { llmsText } from './llms-text.ts'
import { openApiDocument } from './openapi.ts'
import { published } from './published-openapi.ts'
import type { Route } from './route.ts'
import { JSON_TYPE } from './to-json.ts'

/** A page outside of the route table: free and without a key. */
export interface PublicPage {
  /** In the router's syntax. */
  url: string
  status: number
  headers: Record<string, string>
  /** Or what a request gets. Throws 404 for a page that does not exist. */
  body: string | ((asked: PageRequest) => string)
}

export interface PageRequest {
  path: string
  /** As in the URL; empty: none. */
  query: string
}

/** The OpenAPI document, the pages of the API reference, and the text for language models. */
export function publicPages(routes: readonly Route[]): PublicPage[] {
  const document = openApiDocument(routes)
  return [
    {
      url: '/v1/openapi.json',
      status: 200,
      headers: { 'content-type': JSON_TYPE },
      body: JSON.stringify(published(document)),
    },
    ...docsSite(document, routes),
    {
      url: '/llms.txt',
      status: 200,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: llmsText(document),
    },
  ]
}
