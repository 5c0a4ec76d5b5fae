import type { Command } from './metering/meter.ts'

/** Syncs a wallet on a network. If that sync already runs, no second one starts. */
export const walletSync = (sync: { address: string; networkId: string }): Command => ({
  workflow: 'syncWallet',
  workflowId: `sync:${sync.address}:${sync.networkId}`,
  input: sync,
})

/** The same for a connected exchange account. */
export const exchangeSync = (connectionId: string): Command => ({
  workflow: 'syncExchange',
  workflowId: `exchange:${connectionId}`,
  input: { connectionId },
})
