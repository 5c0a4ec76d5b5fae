import type { SealedSecret } from '../values/sealed-secret.ts'

/** A sealed secret as JSON carries it: bytes in hexadecimal digits. */
interface SealedText {
  keyId: string
  wrappedKey: string
  ciphertext: string
}

export const sealedText = ({ keyId, wrappedKey, ciphertext }: SealedSecret): SealedText => ({
  keyId,
  wrappedKey: wrappedKey.toString('hex'),
  ciphertext: ciphertext.toString('hex'),
})

/** Which events an endpoint gets of its wallets. */
export interface WebhookOptions {
  /** Of a transaction: only its first event, only the confirmed one, or both. */
  confirmed: 'first' | 'only' | 'both'
  minValueUsd: number
  includeSpam: boolean
}

/** A wallet whose events an endpoint gets. null: on all networks */
export interface WatchedWallet {
  address: string
  networkId: string | null
}

/** All wallets among the portfolios of the account, or these. */
export type Watched = 'all' | readonly WatchedWallet[]

/** What the limits of the plan allow the account altogether. */
interface Most {
  endpoints: number
  wallets: number
}

/** A write that the API decides on and that `apply_webhook_writes` applies together with the charge. */
export type WebhookWrite =
  | {
      kind: 'webhook-create'
      id: string
      url: string
      types: readonly string[]
      options: WebhookOptions
      watched: Watched
      sealed: SealedText
      most: Most
    }
  /** `restart`: it gets nothing before it has answered a new ping. Absent fields stay. */
  | {
      kind: 'webhook-change'
      id: string
      url?: string
      types?: readonly string[]
      options?: WebhookOptions
      restart?: true
      pause?: true
    }
  | { kind: 'webhook-delete'; id: string }
  | { kind: 'webhook-watch'; id: string; watched: Watched; most: Most }
  | { kind: 'webhook-unwatch'; id: string; watched: Watched }
  | { kind: 'webhook-rotate'; id: string; sealed: SealedText }
  | { kind: 'webhook-test'; id: string }
  /** Sends events again, those with numbers in this range. */
  | { kind: 'webhook-replay'; id: string; fromSeq: string; throughSeq: string }
