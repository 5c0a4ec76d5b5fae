import { toJsonSchema } from '../../api/json-schema.ts'
import type { OpenApiDocument } from '../../api/openapi.ts'
import { x402BaseUnitsOf } from '../../api/x402-price.ts'
import type { PagesOptions } from './pages.ts'
import { requirementOf } from '../payment/requirement.ts'

/**
 * Lists the paid resources for crawlers and agents. This file has no standard yet: x402scan reads
 * `resources`, and `items` has the shape in which facilitators list resources. Path parameters are in braces.
 */
export function discoveryDocument(
  { routes, publicUrl, payTo }: PagesOptions,
  openApi: OpenApiDocument,
): unknown {
  const urlOf = (path: string) => `${publicUrl}${path}`
  return {
    x402Version: 2,
    version: 1,
    resources: routes.map(({ path }) => urlOf(path)),
    openapi: urlOf('/openapi.json'),
    items: routes.map((route) => {
      const { parameters } = openApi.paths[route.path]!['get']!
      // The flat price, or the price of the smallest call.
      const units = x402BaseUnitsOf(route)!
      const mimeType = 'application/json'
      return {
        resource: urlOf(route.path),
        type: 'http',
        x402Version: 2,
        description: route.summary,
        mimeType,
        accepts: [requirementOf({ units, payTo })],
        metadata: {
          input: { type: 'http', method: 'GET', parameters },
          output: { type: mimeType, schema: toJsonSchema(route.response, 'output') },
        },
      }
    }),
  }
}
