import {
  createPublicClient,
  type Hex,
  http,
  isAddressEqual,
  numberToHex,
  pad,
  parseAbi,
  parseEventLogs,
  toEventSelector,
} from 'viem'
import type { Authorization } from '../db/payments/ledger.ts'

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
 * one, or over without having been used: the payer can never be charged for it; `unused`: it still may be.
 */
export type ChainProof =
  { kind: 'paid'; transaction: string } | { kind: 'void'; reason: string } | { kind: 'unused' }

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

const abi = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])
const USED = toEventSelector('AuthorizationUsed(address,bytes32)')
const CANCELED = toEventSelector('AuthorizationCanceled(address,bytes32)')

/** Asks a node of one chain what became of EIP-3009 authorizations. */
export function createChainReader({
  rpcUrl,
  chainId,
}: {
  rpcUrl: string
  chainId: number
}): ChainReader & PayerReader {
  const client = createPublicClient({ transport: http(rpcUrl, { timeout: 5_000, retryCount: 1 }) })
  let isChecked = false

  async function checkChain(): Promise<void> {
    if (isChecked) return
    const found = await client.getChainId()
    if (found !== chainId) throw new Error(`the node serves chain ${found}, not ${chainId}`)
    isChecked = true
  }

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

  /** Whether a transaction made exactly this transfer with this authorization; null: the node does not know it. */
  async function isTransfer(
    { authorization, payTo, amount }: ExpectedTransfer,
    hash: Hex,
  ): Promise<boolean | null> {
    const receipt = await client.getTransactionReceipt({ hash }).catch((error: Error) => {
      if (error.name === 'TransactionReceiptNotFoundError') return null
      throw error
    })
    if (!receipt) return null
    const asset = authorization.asset as Hex
    const logs = parseEventLogs({
      abi,
      logs: receipt.logs.filter(({ address }) => isAddressEqual(address, asset)),
    })
    const at = logs.findIndex(
      ({ eventName, args }) =>
        eventName === 'AuthorizationUsed' &&
        isAddressEqual(args.authorizer, authorization.payer as Hex) &&
        args.nonce === authorization.nonce,
    )
    // The token moves the money right after it has marked the authorization: a batch may hold several of both.
    const next = at === -1 ? undefined : logs[at + 1]
    return (
      receipt.status === 'success' &&
      next?.eventName === 'Transfer' &&
      isAddressEqual(next.args.from, authorization.payer as Hex) &&
      isAddressEqual(next.args.to, payTo as Hex) &&
      next.args.value === amount
    )
  }

  async function find(expected: ExpectedTransfer): Promise<ChainProof> {
    await checkChain()
    const { authorization, validBefore, transaction } = expected
    if (transaction && (await isTransfer(expected, transaction as Hex))) return { kind: 'paid', transaction }
    const newest = await client.getBlock()
    const isUsed = await client.readContract({
      ...{
        address: authorization.asset as Hex,
        abi,
        functionName: 'authorizationState',
        blockNumber: newest.number,
      },
      args: [authorization.payer as Hex, authorization.nonce as Hex],
    })
    if (!isUsed) {
      // The time of the chain: a node that lags behind proves nothing.
      const isOver = newest.timestamp * 1000n >= BigInt(validBefore.getTime())
      return isOver
        ? { kind: 'void', reason: 'invalid_exact_evm_payload_authorization_valid_before' }
        : { kind: 'unused' }
    }
    const end = await findEnd(expected, newest.number)
    if (!end) throw new Error('the authorization was used, but not in the blocks since it was signed')
    if (end.isCanceled) return { kind: 'void', reason: 'authorization_canceled' }
    const isPaid = await isTransfer(expected, end.transaction)
    if (isPaid === null) throw new Error('the node knows a log of a transaction, but not its receipt')
    return isPaid
      ? { kind: 'paid', transaction: end.transaction }
      : { kind: 'void', reason: 'invalid_exact_evm_recipient_mismatch' }
  }

  async function isContract(address: string): Promise<boolean> {
    await checkChain()
    return (await client.getCode({ address: address as Hex })) !== undefined
  }

  return { find, isContract }
}
