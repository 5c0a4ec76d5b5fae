import type { TransferKind } from '../chain-data.ts'
import { ZERO_ADDRESS } from '../chain-data.ts'

/** A log as JSON-RPC returns it. */
export interface RpcLog {
  address: string
  topics: readonly string[]
  data: string
  blockNumber: string
  blockHash: string
  transactionHash: string
  logIndex: string
  removed?: boolean
}

/** EIP-7708: writes a log of each transfer of native coins. A draft; no contract can have this address. */
export const NATIVE_LOGS = '0xfffffffffffffffffffffffffffffffffffffffe'

export interface LogTransfer {
  kind: TransferKind
  position: number
  item: number
  token: string
  tokenId: bigint | null
  from: string
  to: string
  raw: bigint
}

export const TOPICS = {
  transfer: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  transferSingle: '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62',
  transferBatch: '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb',
  approval: '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925',
  approvalForAll: '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31',
  deposit: '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c',
  withdrawal: '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65',
  /** UserOperationEvent(bytes32 hash, address sender, address paymaster, uint256, bool, uint256 gasCost, uint256) */
  operation: '0x49628fd1471006c1482da88028e9ce4dbb080b815c9b0344d39e5a8e6ec1419f',
} as const

/**
 * The transfers in a log; none for an unknown event or malformed data. `wrapped`: contract of the wrapped native
 * asset, whose Deposit and Withdrawal change balances. Logs of native transfers are not of a token: see
 * native-transfers.ts.
 */
export function decodeLog(
  log: RpcLog,
  { wrapped, nativeToken }: { wrapped: string | null; nativeToken: string | null },
): LogTransfer[] {
  const [topic, one, two, three] = log.topics
  const token = log.address.toLowerCase()
  if (token === NATIVE_LOGS || (token === nativeToken && topic === TOPICS.transfer)) return []
  const base = { position: Number(log.logIndex), item: 0, token, tokenId: null }
  const words = (log.data.length - 2) / 64
  switch (topic) {
    case TOPICS.transfer:
      if (one === undefined || two === undefined) return []
      if (three !== undefined)
        return [
          {
            ...base,
            kind: 'erc721',
            tokenId: BigInt(three),
            from: accountOf(one),
            to: accountOf(two),
            raw: 1n,
          },
        ]
      if (words < 1) return []
      return [{ ...base, kind: 'erc20', from: accountOf(one), to: accountOf(two), raw: wordOf(log.data, 0) }]
    case TOPICS.transferSingle:
      if (two === undefined || three === undefined || words < 2) return []
      return [
        {
          ...base,
          kind: 'erc1155',
          tokenId: wordOf(log.data, 0),
          from: accountOf(two),
          to: accountOf(three),
          raw: wordOf(log.data, 1),
        },
      ]
    case TOPICS.transferBatch:
      if (two === undefined || three === undefined) return []
      return batchItems(log.data).map(([tokenId, raw], item) => ({
        ...base,
        kind: 'erc1155' as const,
        item,
        tokenId,
        from: accountOf(two),
        to: accountOf(three),
        raw,
      }))
    case TOPICS.approval:
      if (one === undefined || two === undefined) return []
      if (three !== undefined)
        return [
          {
            ...base,
            kind: 'approval',
            tokenId: BigInt(three),
            from: accountOf(one),
            to: accountOf(two),
            raw: 1n,
          },
        ]
      if (words < 1) return []
      return [
        { ...base, kind: 'approval', from: accountOf(one), to: accountOf(two), raw: wordOf(log.data, 0) },
      ]
    case TOPICS.approvalForAll:
      if (one === undefined || two === undefined || words < 1) return []
      return [
        {
          ...base,
          kind: 'approval',
          from: accountOf(one),
          to: accountOf(two),
          raw: wordOf(log.data, 0) & 1n,
        },
      ]
    case TOPICS.deposit:
    case TOPICS.withdrawal: {
      if (token !== wrapped || one === undefined || words < 1) return []
      const owner = accountOf(one)
      const isIn = topic === TOPICS.deposit
      const [from, to] = isIn ? [ZERO_ADDRESS, owner] : [owner, ZERO_ADDRESS]
      return [{ ...base, kind: 'wrap', from, to, raw: wordOf(log.data, 0) }]
    }
    default:
      return []
  }
}

/** The address in a topic. */
export function accountOf(topic: string): string {
  return `0x${topic.slice(26).toLowerCase()}`
}

/** The 32 bytes of data with this index, as a number. */
export function wordOf(data: string, index: number): bigint {
  return BigInt(`0x${data.slice(2 + index * 64, 66 + index * 64)}`)
}

/** The two arrays of TransferBatch; empty when their offsets or lengths point outside the data. */
function batchItems(data: string): [id: bigint, value: bigint][] {
  const words = (data.length - 2) / 64
  const arrayAt = (index: number): bigint[] | null => {
    if (words < 2) return null
    const start = Number(wordOf(data, index)) / 32
    if (!Number.isInteger(start) || start >= words) return null
    const length = Number(wordOf(data, start))
    if (start + length >= words) return null
    return Array.from({ length }, (_, i) => wordOf(data, start + 1 + i))
  }
  const ids = arrayAt(0)
  const values = arrayAt(1)
  if (!ids || !values || ids.length !== values.length) return []
  return ids.map((id, i) => [id, values[i]!])
}
