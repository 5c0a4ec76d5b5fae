import { erc20Abi, type Hex, numberToHex, pad } from 'viem'
import { type ChainNode, createChainClient } from './chain-client.ts'
import { readReceipt, TRANSFER, USED } from './token-events.ts'

/** Transactions of the newest blocks that transferred the token to an address, newest last. */
export interface RecentTransfers {
  fromBlock: bigint
  transactions: string[]
}

/** An authorization and the transaction that used it. Lower-case hex. */
export interface UsedAuthorization {
  payer: string
  nonce: string
  transaction: string
}

/** Reads payments in one token to an address. All methods throw if the node does not answer. */
export interface PayeeReader {
  recentTransfers: (asked: { payTo: string; blocks: number }) => Promise<RecentTransfers>
  /** Returns the authorizations that these transactions used to pay an address. */
  authorizationsTo: (payTo: string, transactions: readonly string[]) => Promise<UsedAuthorization[]>
  /** Token balance of an address in base units. */
  balanceOf: (address: string) => Promise<bigint>
}

export function createPayeeReader({ asset, ...node }: ChainNode & { asset: string }): PayeeReader {
  const { rpc, client, checkChain } = createChainClient(node)
  const token = asset as Hex
  return {
    async recentTransfers({ payTo, blocks }) {
      await checkChain()
      const newest = await client.getBlockNumber({ cacheTime: 0 })
      const fromBlock = newest >= BigInt(blocks) ? newest - BigInt(blocks) + 1n : 0n
      const topics = [TRANSFER, null, pad(payTo.toLowerCase() as Hex)]
      const range = { fromBlock: numberToHex(fromBlock), toBlock: numberToHex(newest) }
      const logs = (await rpc('eth_getLogs', [{ address: token, topics, ...range }])) as {
        transactionHash: string
      }[]
      const hashes = logs.map(({ transactionHash }) => transactionHash.toLowerCase())
      return { fromBlock, transactions: [...new Set(hashes)] }
    },

    async authorizationsTo(payTo, transactions) {
      const payee = pad(payTo.toLowerCase() as Hex)
      const found: UsedAuthorization[] = []
      for (const transaction of transactions) {
        const logs = (await readReceipt(rpc, transaction))?.logs ?? []
        const own = logs.filter(({ address }) => address.toLowerCase() === token.toLowerCase())
        for (const [i, { topics }] of own.entries()) {
          const next = own[i + 1]
          if (topics[0] === USED && next?.topics[0] === TRANSFER && next.topics[2]?.toLowerCase() === payee)
            found.push({
              payer: `0x${topics[1]!.slice(-40).toLowerCase()}`,
              nonce: topics[2]!.toLowerCase(),
              transaction,
            })
        }
      }
      return found
    },

    async balanceOf(address) {
      await checkChain()
      return client.readContract({
        address: token,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [address as Hex],
      })
    },
  }
}
