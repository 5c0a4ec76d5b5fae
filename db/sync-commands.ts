import type { Command } from './metering/meter.ts'

/** Syncs a wallet on a network; one that runs already is the one that is asked for. */
export const walletSync = (sync: { address: string; networkId: string }): Command => ({
  workflow: 'syncWallet',
  workflowId: `sync:${sync.address}:${sync.networkId}`,
  input: sync,
})

/** The same of a connected account at an exchange. */
export const exchangeSync = (connectionId: string): Command => ({
  workflow: 'syncExchange',
  workflowId: `exchange:${connectionId}`,
  input: { connectionId },
})
