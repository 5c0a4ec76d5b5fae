import { docsPage } from './docs-page.ts'
import { openApiDocument } from './openapi.ts'
import type { Route } from './route.ts'
import { JSON_TYPE } from './to-json.ts'

/** A page beside the table: needs no key and costs nothing. */
export interface PublicPage {
  /** As the router spells it. */
  url: string
  headers: Record<string, string>
  body: string
}

/** The published description and its reading page, made once. */
export function publicPages(routes: readonly Route[]): PublicPage[] {
  const document = openApiDocument(routes)
  return [
    {
      url: '/v1/openapi.json',
      headers: { 'content-type': JSON_TYPE },
      body: JSON.stringify(document),
    },
    {
      url: '/v1/docs',
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      },
      body: docsPage(document),
    },
  ]
}
