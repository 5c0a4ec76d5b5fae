import { createConfig } from 'ponder'
import { erc20Abi, http } from 'viem'

const { RPC_URL, DATABASE_URL, TOKEN, SENDER } = process.env

// Its defaults, but for three: the node is local, so 50 requests a second would only hold it back; nothing is cached
// between two runs; and viem's limit of 10 MiB for an answer, which ends Ponder on a busy token, is lifted.
export default createConfig({
  database: { kind: 'postgres', connectionString: DATABASE_URL! },
  networks: {
    local: {
      ...{ chainId: 1, maxRequestsPerSecond: 10_000, disableCache: true },
      transport: http(RPC_URL, { maxResponseBodySize: false }),
    },
  },
  contracts: {
    Token: {
      ...{ abi: erc20Abi, network: 'local', address: TOKEN as `0x${string}`, startBlock: 0 },
      filter: { event: 'Transfer', args: { from: SENDER as `0x${string}` } },
    },
  },
})
