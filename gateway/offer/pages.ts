import { published } from '../../api/published-openapi.ts'
import type { Route } from '../../api/route.ts'
import { JSON_TYPE } from '../../api/to-json.ts'
import type { X402Pricing } from '../../api/x402-price.ts'
import { discoveryDocument } from './discovery.ts'
import { gatewayOpenApi } from './openapi.ts'

export interface PagesOptions {
  /** Routes that have a price. */
  routes: readonly Route[]
  publicUrl: string
  payTo: string
  pricing: X402Pricing
}

/** Free pages that describe the gateway, built once at start. */
export function gatewayPages(
  options: PagesOptions,
): { url: string; headers: Record<string, string>; body: string }[] {
  const headers = {
    'content-type': JSON_TYPE,
    'cache-control': 'public, max-age=300',
  }
  const openApi = gatewayOpenApi(options)
  return [
    { url: '/openapi.json', headers, body: JSON.stringify(published(openApi)) },
    { url: '/.well-known/x402', headers, body: JSON.stringify(discoveryDocument(options, openApi)) },
  ]
}
