import { readFileSync } from 'node:fs'
import { createConfig } from 'ponder'
import { erc20Abi, http } from 'viem'

const { RPC_URL, DATABASE_URL, START_BLOCK, WALLETS_FILE } = process.env

// What the follower matches, as far as Ponder can tell: senders and receivers of transactions, and both sides of
// Transfer events. The defaults except for three: no limit of 50 requests per second, because the node is local;
// no cache between runs; and no limit of 10 MiB per answer in viem.
const wallets = readFileSync(WALLETS_FILE!, 'utf8').split('\n') as `0x${string}`[]
const place = { network: 'local', startBlock: Number(START_BLOCK) } as const

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
    Sent: { ...place, abi: erc20Abi, filter: { event: 'Transfer', args: { from: wallets } } },
    Received: { ...place, abi: erc20Abi, filter: { event: 'Transfer', args: { to: wallets } } },
  },
  accounts: { Wallet: { ...place, address: wallets } },
})
