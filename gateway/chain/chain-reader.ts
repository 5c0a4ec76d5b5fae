import { type Hex, numberToHex, pad, parseAbi } from 'viem'
import type { Authorization } from '../../db/payments/ledger.ts'
import { createChainClient } from './chain-client.ts'
import { CANCELED, readReceipt, TRANSFER, USED } from './token-events.ts'

/** An authorization and the transfer that it was signed for. */
export interface ExpectedTransfer {
  authorization: Authorization
  payTo: string
  amount: bigint
  validBefore: Date
  /** The search starts here: the authorization was not used before. */
  since: Date
  /** The transaction that the facilitator names as the settlement. */
  transaction?: string
}

/**
 * State of an authorization on the chain. `paid`: used for exactly this transfer; `void`: cancelled, expired
 * unused, or used for another transfer, so the payer can never be charged for it; `unused`: the payer can
 * still be charged. `blockNumber` is the block of the transfer, otherwise the node's newest block.
 */
export type ChainProof = { blockNumber: bigint } & (
  | { kind: 'paid'; transaction: string }
  | { kind: 'void'; reason: string }
  | { kind: 'unused' }
)

export interface ChainReader {
  /** Throws if the node does not answer or serves another chain. */
  find: (expected: ExpectedTransfer) => Promise<ChainProof>
}

export interface PayerReader {
  /**
   * Whether the address has code: a contract decides itself which signatures are valid. Throws like `find`.
   */
  isContract: (address: string) => Promise<boolean>
}

/** Nodes limit the blocks of one `eth_getLogs` call. */
const BLOCKS_AT_ONCE = 1_000n

const abi = parseAbi(['function authorizationState(address authorizer, bytes32 nonce) view returns (bool)'])

/** Reads the state of EIP-3009 authorizations from a node of one chain. */
export function createChainReader({
  rpcUrl,
  chainId,
}: {
  rpcUrl: string
  chainId: number
}): ChainReader & PayerReader {
  const { rpc, client, checkChain } = createChainClient({ rpcUrl, chainId })

  /** Finds the transaction that used or cancelled the authorization, from the newest block back. */
  async function findEnd({ authorization, since }: ExpectedTransfer, newest: bigint) {
    const { asset, payer, nonce } = authorization
    const topics = [[USED, CANCELED], pad(payer as Hex), nonce as Hex]
    const sinceS = BigInt(Math.floor(since.getTime() / 1000))
    for (let toBlock = newest; ; toBlock -= BLOCKS_AT_ONCE) {
      const fromBlock = toBlock >= BLOCKS_AT_ONCE ? toBlock - BLOCKS_AT_ONCE + 1n : 0n
      // viem's typed call accepts the topics of one event only.
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
   * Returns the block of a transaction if it made exactly this transfer with this authorization; false: it
   * did not; null: the node does not know the transaction.
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
    // A batch may hold several authorizations. Each `AuthorizationUsed` is followed by its own `Transfer`.
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
      // Use the chain's time, because a lagging node proves nothing.
      const isOver = newest.timestamp * 1000n >= BigInt(validBefore.getTime())
      return isOver
        ? { kind: 'void', reason: 'invalid_exact_evm_payload_authorization_valid_before', blockNumber }
        : { kind: 'unused', blockNumber }
    }
    const end = await findEnd(expected, blockNumber)
    if (!end)
      throw new Error('the authorization was used, but the blocks since it was signed do not show where')
    if (end.isCanceled) return { kind: 'void', reason: 'authorization_canceled', blockNumber }
    const paidIn = await blockOfTransfer(expected, end.transaction)
    if (paidIn === null) throw new Error('the node returned a log but not the receipt of its transaction')
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
