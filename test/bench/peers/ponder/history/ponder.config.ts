import { createConfig } from 'ponder'
import { erc20Abi, http } from 'viem'

const { RPC_URL, DATABASE_URL, SENDER } = process.env

// The history of one wallet, as far as Ponder can tell on this node: its transactions with their receipts, and both
// sides of Transfer events. Not the native coins that contracts send: Ponder reads them from the traces of geth, which
// anvil words otherwise, and then stops. The defaults except for three: no limit of 50 requests per second, because
// the node is local; no cache between runs; and no limit of 10 MiB per answer in viem.
const wallet = SENDER as `0x${string}`
const place = { network: 'local', startBlock: 0, includeTransactionReceipts: true } as const

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
    Sent: { ...place, abi: erc20Abi, filter: { event: 'Transfer', args: { from: wallet } } },
    Received: { ...place, abi: erc20Abi, filter: { event: 'Transfer', args: { to: wallet } } },
  },
  accounts: { Wallet: { ...place, address: wallet } },
})
