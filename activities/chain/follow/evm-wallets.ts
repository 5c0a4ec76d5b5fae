import { coveredWallets } from '../../../db/chain/coverage.ts'
import { keepTouching } from '../sources/decode-transaction.ts'
import type { BlockReader } from './block-reader.ts'

/** The wallets of an EVM network, which have one address each. */
export const evmWallets = (networkId: string): Pick<BlockReader, 'findWallets' | 'keep'> => ({
  findWallets: (client, { addresses }) => coveredWallets(client, { networkId, addresses }),
  keep(wallets) {
    const known = new Set(wallets.map(({ address }) => address))
    return (decoded) => keepTouching(known, decoded)
  },
})
