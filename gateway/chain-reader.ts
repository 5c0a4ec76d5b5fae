import { createPublicClient, custom, type Hex, numberToHex, pad, parseAbi, toEventSelector } from 'viem'
import type { Authorization } from '../db/payments/ledger.ts'
import { createChainRpc } from './chain-rpc.ts'

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

const abi = parseAbi(['function authorizationState(address authorizer, bytes32 nonce) view returns (bool)'])
const USED = toEventSelector('AuthorizationUsed(address,bytes32)')
const CANCELED = toEventSelector('AuthorizationCanceled(address,bytes32)')
const TRANSFER = toEventSelector('Transfer(address,address,uint256)')

/** As the node sends it, as far as it is read here. */
interface Receipt {
  status: Hex
  logs: { address: Hex; topics: Hex[]; data: Hex }[]
}

/** Asks a node of one chain what became of EIP-3009 authorizations. */
export function createChainReader({
  rpcUrl,
  chainId,
}: {
  rpcUrl: string
  chainId: number
}): ChainReader & PayerReader {
  const rpc = createChainRpc(rpcUrl)
  const request = ({ method, params = [] }: { method: string; params?: unknown[] }) => rpc(method, params)
  const client = createPublicClient({ transport: custom({ request }, { retryCount: 0 }) })
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
    // Of every payment: what viem makes of a receipt takes longer than to ask for it.
    const receipt = (await rpc('eth_getTransactionReceipt', [hash])) as Receipt | null
    if (!receipt) return null
    const logs = receipt.logs.filter(
      ({ address, topics: [event] }) =>
        address.toLowerCase() === authorization.asset && (event === USED || event === TRANSFER),
    )
    const payer = pad(authorization.payer as Hex)
    const at = logs.findIndex(({ topics }) => isSame(topics, [USED, payer, authorization.nonce]))
    // The token moves the money right after it has marked the authorization: a batch may hold several of both.
    const next = at === -1 ? undefined : logs[at + 1]
    return (
      receipt.status === '0x1' &&
      next !== undefined &&
      isSame(next.topics, [TRANSFER, payer, pad(payTo.toLowerCase() as Hex)]) &&
      BigInt(next.data) === amount
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

const isSame = (topics: readonly string[], expected: readonly string[]): boolean =>
  topics.length === expected.length && topics.every((topic, i) => topic.toLowerCase() === expected[i])
