import { createConfig } from 'ponder'
import { erc20Abi, http } from 'viem'

const { RPC_URL, DATABASE_URL, TOKEN, SENDER } = process.env

// The defaults except for three: no limit of 50 requests per second, because the node is local; no cache
// between runs; and no limit of 10 MiB per answer in viem, which stops Ponder on a busy token.
export default createConfig({
  database: { kind: 'postgres', connectionString: DATABASE_URL! },
  networks: {
    local: {
      chainId: 1,
      maxRequestsPerSecond: 10_000,
      disableCache: true,
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
