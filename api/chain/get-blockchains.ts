import { z } from 'zod'
import { readActiveNetworks } from '../../db/chain/read-networks.ts'
import { defineRoute } from '../route.ts'

export const getBlockchains = defineRoute({
  method: 'GET',
  path: '/wallet/blockchains',
  tag: 'Wallets',
  summary: 'Networks on which wallets can be read',
  response: z.array(
    z.object({
      name: z.string(),
      connectionId: z.string(),
      chain: z.string().describe('Value of the parameter `blockchain`'),
      icon: z.string(),
    }),
  ),
  credits: 1,
  plan: 'any',
  x402: '0.001',
  mayLag: true,
  async handler(_input, { db }) {
    const networks = await readActiveNetworks(db)
    return {
      body: networks.map(({ id, blockchain, name, icon }) => ({
        name,
        connectionId: id,
        chain: blockchain,
        icon,
      })),
      asOf: null,
    }
  },
})
