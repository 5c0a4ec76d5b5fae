import { NETWORK, TOKEN } from './token.ts'

/** Seconds from signing to settlement. */
export const MAX_TIMEOUT_S = 60

/** The payment that a call requires: one item of `accepts` in protocol version 2. */
export interface Requirement {
  scheme: 'exact'
  network: string
  /** Base units of USDC. */
  amount: string
  asset: string
  payTo: string
  maxTimeoutSeconds: number
  extra: { name: string; version: string }
}

export function requirementOf({ units, payTo }: { units: bigint; payTo: string }): Requirement {
  return {
    scheme: 'exact',
    network: NETWORK.v2,
    amount: units.toString(),
    asset: TOKEN.address,
    payTo,
    maxTimeoutSeconds: MAX_TIMEOUT_S,
    extra: { name: TOKEN.name, version: TOKEN.version },
  }
}
