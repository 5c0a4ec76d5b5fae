import type { HttpClient } from '../../http-client.ts'
import { SOLANA } from '../../nodes/solana-call.ts'
import { createSolanaClient } from '../../nodes/solana-client.ts'
import type { OpenNetwork } from '../network-at-block.ts'
import { SOLANA_PROTOCOLS } from './protocols.ts'
import { readAtFinalSlot } from './slot-reader.ts'

/** Reads Solana from its JSON-RPC. `onProgress` is called after each request. */
export const openSolana =
  (deps: { http: HttpClient; url: string; onProgress: () => void }): OpenNetwork =>
  async () => {
    const client = createSolanaClient(deps)
    const reader = await readAtFinalSlot(client, deps.onProgress)
    return {
      source: SOLANA,
      block: reader.block,
      protocolsOf({ address: account, received, nfts }) {
        let asked: Promise<ReadonlyMap<string, bigint>> | undefined
        const held = () => (asked ??= reader.tokensOf(account))
        return SOLANA_PROTOCOLS.map(({ id, read }) => ({
          id,
          read: () => read({ reader, account, received, nfts, held }),
        }))
      },
      readTokens: client.readMints,
    }
  }
