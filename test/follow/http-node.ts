import type { EvmReaderDeps } from '../../activities/chain/follow/evm-reader.ts'
import { createRpcClient } from '../../activities/nodes/rpc-client.ts'
import { NETWORK } from './follow-directly.ts'

/** The node at an address, as a pool of this node alone chooses it. */
export function httpNode(url: string): Pick<EvmReaderDeps, 'chooseNode'> {
  const client = createRpcClient({ url, source: NETWORK.source })
  const plan = { account: 'test', unit: 'calls', cost: () => 1, allowance: null, rate: null }
  const ask = (method: string, params: readonly unknown[]) => client.call(method, ...params)
  return { chooseNode: () => ({ name: 'test', plan, client, unitsADay: null, ask }) }
}
