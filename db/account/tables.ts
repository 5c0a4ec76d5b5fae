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

/** What a user chose to connect, until the app's server redeems its code. */
export interface ConnectCodeRow {
  /** SHA-256 of the code, which is not stored */
  hash: Buffer
  kit_id: string
  account_id: string
  /** of a wallet that is not connected yet: the id that it gets */
  portfolio_id: string
  /** of a wallet; null: an exchange account */
  address: string | null
  network_id: string | null
  /** an exchange account that was connected before */
  existed: boolean
  /** of the message that the wallet signed; null: it signed none */
  nonce: string | null
  expires_at: Date
  redeemed_at: Date | null
}

/** A file to import, until its owner confirms or its hour is over. */
export interface ImportUploadRow {
  id: string
  account_id: string
  portfolio_id: string
  body: string
  /** SHA-256 of the body */
  sha256: Buffer
  /** the last preview; null: none was shown */
  previewed: unknown
  expires_at: Date
}

declare module '../schema.ts' {
  interface Database {
    connect_kits: ConnectKitRow
    connect_codes: ConnectCodeRow
    import_uploads: ImportUploadRow
  }
}
