import type { Command } from './metering/meter.ts'

/** Syncs a wallet on a network. If that sync already runs, no second one starts. */
export const walletSync = (sync: { address: string; networkId: string }): Command => ({
  workflow: 'syncWallet',
  workflowId: `sync:${sync.address}:${sync.networkId}`,
  input: sync,
})

/** Compares the balances of followed wallets with the chain. */
export const walletVerification = (
  id: string,
  wallets: readonly { address: string; networkId: string }[],
): Command => ({
  workflow: 'verifyWallets',
  workflowId: `verify:${id}`,
  input: { wallets: wallets.map(({ address, networkId }) => ({ address, networkId })) },
})

/** Syncs a connected exchange account. */
export const exchangeSync = (connectionId: string): Command => ({
  workflow: 'syncExchange',
  workflowId: `exchange:${connectionId}`,
  input: { connectionId },
})
