import { type Hex, numberToHex, pad, parseAbi } from 'viem'
import type { Authorization } from '../../db/payments/ledger.ts'
import { createChainClient } from './chain-client.ts'
import { CANCELED, readReceipt, TRANSFER, USED } from './token-events.ts'

/** An authorization, and the transfer that it was signed for. */
export interface ExpectedTransfer {
  authorization: Authorization
  payTo: string
  amount: bigint
  validBefore: Date
  /** Where to begin: it was not used before. */
  since: Date
  /** What the facilitator says it was settled with. */
  transaction?: string
}

/**
 * What the chain says of an authorization. `paid`: used for exactly this transfer; `void`: cancelled, used for another
 * one, or over without having been used: the payer can never be charged for it; `unused`: it still may be. With the block
 * of the transfer, or the newest one that the node knows.
 */
export type ChainProof = { blockNumber: bigint } & (
  | { kind: 'paid'; transaction: string }
  | { kind: 'void'; reason: string }
  | { kind: 'unused' }
)

export interface ChainReader {
  /** Throws when the node does not answer, or serves another chain. */
  find: (expected: ExpectedTransfer) => Promise<ChainProof>
}

/** What else the node is asked. */
export interface PayerReader {
  /** Whether code stands there: such a payer may sign as its code has it. Throws like `find`. */
  isContract: (address: string) => Promise<boolean>
}

/** Nodes limit the blocks of one question. */
const BLOCKS_AT_ONCE = 1_000n

const abi = parseAbi(['function authorizationState(address authorizer, bytes32 nonce) view returns (bool)'])

/** Asks a node of one chain what became of EIP-3009 authorizations. */
export function createChainReader({
  rpcUrl,
  chainId,
}: {
  rpcUrl: string
  chainId: number
}): ChainReader & PayerReader {
  const { rpc, client, checkChain } = createChainClient({ rpcUrl, chainId })

  /** The transaction that used or cancelled it, searched from the newest block back. */
  async function findEnd({ authorization, since }: ExpectedTransfer, newest: bigint) {
    const { asset, payer, nonce } = authorization
    const topics = [[USED, CANCELED], pad(payer as Hex), nonce as Hex]
    const sinceS = BigInt(Math.floor(since.getTime() / 1000))
    for (let toBlock = newest; ; toBlock -= BLOCKS_AT_ONCE) {
      const fromBlock = toBlock >= BLOCKS_AT_ONCE ? toBlock - BLOCKS_AT_ONCE + 1n : 0n
      // The typed call takes the topics of one event only.
      const [log] = await client.request({
        method: 'eth_getLogs',
        params: [
          { address: asset as Hex, topics, fromBlock: numberToHex(fromBlock), toBlock: numberToHex(toBlock) },
        ],
      })
      if (log) return { isCanceled: log.topics[0] === CANCELED, transaction: log.transactionHash! }
      if (fromBlock === 0n || (await client.getBlock({ blockNumber: fromBlock })).timestamp < sinceS)
        return null
    }
  }

  /**
   * The block of a transaction that made exactly this transfer with this authorization; false: it did not; null: the node
   * does not know it.
   */
  async function blockOfTransfer(
    { authorization, payTo, amount }: ExpectedTransfer,
    hash: string,
  ): Promise<bigint | false | null> {
    const receipt = await readReceipt(rpc, hash)
    if (!receipt) return null
    const logs = receipt.logs.filter(
      ({ address, topics: [event] }) =>
        address.toLowerCase() === authorization.asset && (event === USED || event === TRANSFER),
    )
    const payer = pad(authorization.payer as Hex)
    const at = logs.findIndex(({ topics }) => isSame(topics, [USED, payer, authorization.nonce]))
    // The token moves the money right after it has marked the authorization: a batch may hold several of both.
    const next = at === -1 ? undefined : logs[at + 1]
    const isTransfer =
      receipt.status === '0x1' &&
      next !== undefined &&
      isSame(next.topics, [TRANSFER, payer, pad(payTo.toLowerCase() as Hex)]) &&
      BigInt(next.data) === amount
    return isTransfer && BigInt(receipt.blockNumber)
  }

  async function find(expected: ExpectedTransfer): Promise<ChainProof> {
    await checkChain()
    const { authorization, validBefore, transaction } = expected
    const named = transaction ? await blockOfTransfer(expected, transaction) : null
    if (transaction && typeof named === 'bigint') return { kind: 'paid', transaction, blockNumber: named }
    const newest = await client.getBlock()
    const blockNumber = newest.number
    const isUsed = await client.readContract({
      address: authorization.asset as Hex,
      abi,
      functionName: 'authorizationState',
      blockNumber,
      args: [authorization.payer as Hex, authorization.nonce as Hex],
    })
    if (!isUsed) {
      // The time of the chain: a node that lags behind proves nothing.
      const isOver = newest.timestamp * 1000n >= BigInt(validBefore.getTime())
      return isOver
        ? { kind: 'void', reason: 'invalid_exact_evm_payload_authorization_valid_before', blockNumber }
        : { kind: 'unused', blockNumber }
    }
    const end = await findEnd(expected, blockNumber)
    if (!end) throw new Error('the authorization was used, but not in the blocks since it was signed')
    if (end.isCanceled) return { kind: 'void', reason: 'authorization_canceled', blockNumber }
    const paidIn = await blockOfTransfer(expected, end.transaction)
    if (paidIn === null) throw new Error('the node knows a log of a transaction, but not its receipt')
    return paidIn === false
      ? { kind: 'void', reason: 'invalid_exact_evm_recipient_mismatch', blockNumber }
      : { kind: 'paid', transaction: end.transaction, blockNumber: paidIn }
  }

  async function isContract(address: string): Promise<boolean> {
    await checkChain()
    return (await client.getCode({ address: address as Hex })) !== undefined
  }

  return { find, isContract }
}

const isSame = (topics: readonly string[], expected: readonly string[]): boolean =>
  topics.length === expected.length && topics.every((topic, i) => topic.toLowerCase() === expected[i])
