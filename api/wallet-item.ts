import { z } from 'zod'
import { blockchains, connectionIds, fitsNetworks, networkIssue, type WalletRef } from './networks.ts'
import { walletParam } from './params.ts'

/** One wallet in a list of a body, on one network, several, or `all`. */
export const walletItem = () =>
  z
    .strictObject({
      address: walletParam(),
      connectionId: connectionIds({ inBody: true }).optional(),
      blockchain: blockchains({ inBody: true }).optional(),
    })
    .transform(({ address, ...item }, context): WalletRef[] => {
      const networks = item.connectionId ?? item.blockchain
      if (networks && fitsNetworks(address, networks))
        return networks.map((network) => ({ network, address }))
      context.addIssue({ code: 'custom', ...networkIssue(networks) })
      return z.NEVER
    })
