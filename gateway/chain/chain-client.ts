import { createPublicClient, custom, type PublicClient } from 'viem'
import { type ChainRpc, createChainRpc } from './chain-rpc.ts'

export interface ChainNode {
  rpcUrl: string
  chainId: number
}

export interface ChainClient {
  rpc: ChainRpc
  client: PublicClient
  /** Throws if the node does not answer or serves another chain. */
  checkChain: () => Promise<void>
}

/** A client of one chain's node, for plain JSON-RPC and through viem. */
export function createChainClient({ rpcUrl, chainId }: ChainNode): ChainClient {
  const rpc = createChainRpc(rpcUrl)
  const request = ({ method, params = [] }: { method: string; params?: unknown[] }) => rpc(method, params)
  const client = createPublicClient({ transport: custom({ request }, { retryCount: 0 }) })
  let isChecked = false
  return {
    rpc,
    client,
    checkChain: async () => {
      if (isChecked) return
      const found = await client.getChainId()
      if (found !== chainId) throw new Error(`the node serves chain ${found}, not ${chainId}`)
      isChecked = true
    },
  }
}
