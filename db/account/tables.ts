import type { Generated } from 'kysely'

/** With it, users of another app connect wallets and exchange accounts to the account that owns it. */
export interface ConnectKitRow {
  /** public: frontends hold it */
  id: string
  account_id: string
  name: string
  /** an https: or data: URL */
  logo: string | null
  appearance: 'system' | 'light' | 'dark'
  /** #rrggbb */
  accent: string
  mode: 'popup' | 'redirect'
  /** whose windows get the result of a popup */
  origins: string[]
  /** where a redirect may end */
  redirect_urls: string[]
  created_at: Generated<Date>
}

declare module '../schema.ts' {
  interface Database {
    connect_kits: ConnectKitRow
  }
}
