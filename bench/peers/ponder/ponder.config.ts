import { createConfig } from 'ponder'
import { erc20Abi, http } from 'viem'

const { RPC_URL, DATABASE_URL, TOKEN, SENDER } = process.env

// Its defaults, but for two: the node is local, so 50 requests a second would only hold it back, and no answer of the
// node's is cached on disk between two runs.
export default createConfig({
  database: { kind: 'postgres', connectionString: DATABASE_URL! },
  networks: {
    local: { chainId: 1, transport: http(RPC_URL), maxRequestsPerSecond: 10_000, disableCache: true },
  },
  contracts: {
    Token: {
      ...{ abi: erc20Abi, network: 'local', address: TOKEN as `0x${string}`, startBlock: 0 },
      filter: { event: 'Transfer', args: { from: SENDER as `0x${string}` } },
    },
  },
})
