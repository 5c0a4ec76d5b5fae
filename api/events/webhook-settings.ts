import type { AllowedHosts } from '../../db/values/webhook-url.ts'

/** What endpoints of webhooks need of an installation. */
export interface WebhookSettings {
  /** Public half of the key that their secrets are sealed for. Only the worker can open them. */
  sealKey: string
  /** Hosts in a private network that the operator opened. */
  allowed: AllowedHosts
}

declare module '../route.ts' {
  interface RouteContext {
    /** null: no key to seal secrets is configured */
    webhooks: WebhookSettings | null
  }
}
