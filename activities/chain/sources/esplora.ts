import type { HttpClient } from '../../http-client.ts'
import { BITCOIN_FORMATS } from '../../../db/values/networks/network.ts'
import type { WalletSource } from '../wallet-source.ts'
import { createEsploraApi } from './esplora-api.ts'
import { linkBlocks } from './esplora-blocks.ts'
import { createUtxoSource } from './utxo.ts'
import type { UtxoApi } from './utxo.ts'

/** Bitcoin's wallets from Esplora, which pages by the last transaction of a page. */
export function createEsplora(options: { http: HttpClient; url: string; reorgDepth: number }): WalletSource {
  const name = 'esplora'
  const { reorgDepth } = options
  const { blocksFrom, tip, headers, transaction, confirmed, counters } = createEsploraApi(options)

  const page: UtxoApi['page'] = async ({ address, after, headBlock }) => {
    const all = await confirmed(address, after)
    // An empty page after a transaction that a reorg removed is not the end of the history.
    if (all.length === 0 && after !== null) await transaction(after)
    const rows = all.filter((tx) => tx.blockNumber <= (headBlock ?? Infinity))
    // The operator of a server chooses how many are on a page (25 by default), so a short one may not be the last.
    return { rows, next: all.at(-1)?.txid ?? null }
  }

  return createUtxoSource({
    formats: BITCOIN_FORMATS,
    reorgDepth,
    api: {
      name,
      tip,
      headers,
      blockAt: async (number) => (await blocksFrom(number)).find((one) => one.number === number) ?? null,
      counters,
      page,
      beginAt: async (headBlock) => (found) => linkBlocks({ name, blocksFrom, found, headBlock, reorgDepth }),
    },
  })
}
