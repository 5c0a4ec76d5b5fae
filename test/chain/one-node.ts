import { createRpcClient } from '../../activities/nodes/rpc-client.ts'

/** Clients of one node for all kinds of work, without a pool. */
export function oneNode(url: string, source: string) {
  const client = createRpcClient({ url, source })
  return { heads: client, wallets: client, history: client }
}
