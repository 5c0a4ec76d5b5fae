import { DOCS_HEADERS, DOCS_SCRIPT, docsPage } from './docs/docs-page.ts'
import { llmsText } from './llms-text.ts'
import { openApiDocument } from './openapi.ts'
import { withoutEnums } from './published-openapi.ts'
import type { Route } from './route.ts'
import { JSON_TYPE } from './to-json.ts'

/** A page outside of the route table: free and without a key. */
export interface PublicPage {
  /** In the router's syntax. */
  url: string
  status: number
  headers: Record<string, string>
  body: string
}

/** Renders the OpenAPI document, the API reference with forms, and the text for language models. */
export function publicPages(routes: readonly Route[]): PublicPage[] {
  const document = openApiDocument(routes)
  return [
    {
      url: '/v1/openapi.json',
      status: 200,
      headers: { 'content-type': JSON_TYPE },
      body: JSON.stringify(withoutEnums(document)),
    },
    { url: '/v1/docs', status: 200, headers: DOCS_HEADERS, body: docsPage(document) },
    {
      ...DOCS_SCRIPT,
      status: 200,
      headers: { 'content-type': 'text/javascript; charset=utf-8' },
    },
    { url: '/docs', status: 308, headers: { location: '/v1/docs' }, body: '' },
    {
      url: '/llms.txt',
      status: 200,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: llmsText(document),
    },
  ]
}
