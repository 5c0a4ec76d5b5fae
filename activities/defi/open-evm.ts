import type pg from 'pg'
import { walletNfts } from '../../db/defi/wallet-nfts.ts'
import { isNetworkId } from '../../db/values/networks.ts'
import { SourceRejected } from '../errors.ts'
import { readTokenMetadata } from '../nodes/rpc-contracts.ts'
import type { RpcClient } from '../nodes/rpc.ts'
import { readAtHead } from './block-reader.ts'
import { heldTokens } from './held-tokens.ts'
import type { OpenNetwork } from './network-at-block.ts'
import { PROTOCOLS } from './protocols.ts'

/** Reads EVM networks from their nodes. `onProgress` is called after each request. */
export const openEvm =
  (deps: { pool: pg.Pool; client: RpcClient; onProgress: () => void }): OpenNetwork =>
  async ({ networkId, walletIds }) => {
    const { pool, client, onProgress } = deps
    if (!isNetworkId(networkId)) throw new SourceRejected(client.source, `no network ${networkId}`)
    const reader = await readAtHead(client, onProgress)
    const nftsOf = once((contract: string) => walletNfts(pool, { networkId, walletIds, contract }))
    const protocols = PROTOCOLS.filter(({ networks }) => networks.includes(networkId))
    return {
      source: reader.source,
      block: reader.block,
      protocolsOf({ walletId, address: account, received, tokens }) {
        const held = heldTokens({ reader, account, tokens })
        const nfts = async (contract: string) => (await nftsOf(contract)).get(walletId) ?? []
        const input = { reader, networkId, account, received, held, nfts }
        return protocols.map(({ id, read }) => ({ id, read: () => read(input) }))
      },
      readTokens: (addresses) => readTokenMetadata(client, addresses),
    }
  }

/** Asks once for each argument. */
function once<T>(ask: (of: string) => Promise<T>): (of: string) => Promise<T> {
  const asked = new Map<string, Promise<T>>()
  return (of) => {
    const answer = asked.get(of) ?? ask(of)
    asked.set(of, answer)
    return answer
  }
}
