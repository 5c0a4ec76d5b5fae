import { decodeAbiParameters } from 'viem'
import type { Rpc } from './rpc.ts'

export type Hex = `0x${string}`
export type Log = { address: Hex; topics: Hex[]; data: Hex; logIndex: Hex }
export type Transfer = {
  standard: 'ERC-20' | 'ERC-721' | 'ERC-1155'
  token: Hex
  from: Hex
  to: Hex
  /** Null for ERC-20. */
  tokenId: bigint | null
  amount: bigint
  logIndex: number
  /** Ordinal inside one TransferBatch. */
  item: number
}
export type Internal = {
  from: Hex
  to: Hex
  value: bigint
  input: Hex
  gas: bigint
  gasUsed: bigint
  type: string
  traceId: string
}
export type Token = { address: Hex; name: string; symbol: string; decimals: number | null }

const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const singleTopic = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
const batchTopic = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'
const addressOf = (word: Hex): Hex => `0x${word.slice(-40)}`

/** Transfer events of ERC-20 (three topics), ERC-721 (four) and ERC-1155 contracts. */
export function logTransfers(logs: Log[]): Transfer[] {
  return logs.flatMap((log): Transfer[] => {
    const [topic, one, two, three] = log.topics
    const base = { token: log.address, logIndex: Number(log.logIndex), item: 0 }
    if (topic === transferTopic && one && two) {
      const parties = { from: addressOf(one), to: addressOf(two) }
      if (three) return [{ ...base, ...parties, standard: 'ERC-721', tokenId: BigInt(three), amount: 1n }]
      const amount = BigInt(log.data === '0x' ? '0x0' : log.data)
      return [{ ...base, ...parties, standard: 'ERC-20', tokenId: null, amount }]
    }
    if (!two || !three) return []
    const parties = { from: addressOf(two), to: addressOf(three) }
    return copiesMoved(topic, log.data).map(([tokenId, amount], item) => ({
      ...base,
      ...parties,
      standard: 'ERC-1155' as const,
      tokenId,
      amount,
      item,
    }))
  })
}

/** Token ids and amounts of an ERC-1155 transfer event; empty for any other event. */
function copiesMoved(topic: Hex | undefined, data: Hex): (readonly [id: bigint, amount: bigint])[] {
  if (topic === singleTopic) return [decodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], data)]
  if (topic !== batchTopic) return []
  const [ids, amounts] = decodeAbiParameters([{ type: 'uint256[]' }, { type: 'uint256[]' }], data)
  return ids.map((id, i) => [id, amounts[i]!] as const)
}

type Trace = {
  action: { from: Hex; to?: Hex; value?: Hex; callType?: string; input?: Hex; gas?: Hex }
  result?: { gasUsed?: Hex } | null
  traceAddress: number[]
  transactionHash: Hex
  type: string
  error?: string
}

/** Internal calls that carried value, by transaction. */
export function internalTransfers(traces: unknown): Map<Hex, Internal[]> {
  const found = new Map<Hex, Internal[]>()
  for (const { action, result, traceAddress, transactionHash, type, error } of (traces ?? []) as Trace[]) {
    const value = BigInt(action.value ?? 0)
    if (
      traceAddress.length === 0 ||
      value === 0n ||
      error ||
      !action.to ||
      action.callType === 'delegatecall'
    )
      continue
    const row = {
      from: action.from,
      to: action.to,
      value,
      input: action.input ?? '0x',
      gas: BigInt(action.gas ?? 0),
      gasUsed: BigInt(result?.gasUsed ?? 0),
      type: action.callType ?? type,
      traceId: traceAddress.join('_'),
    }
    found.set(transactionHash, [...(found.get(transactionHash) ?? []), row])
  }
  return found
}

function textOf(answer: string): string {
  const bytes = Buffer.from(answer.slice(2), 'hex')
  // Old tokens return a bytes32, newer ones offset, length and text.
  const text =
    bytes.length <= 32
      ? bytes
      : bytes.subarray(64, 64 + Number(BigInt(`0x${bytes.subarray(32, 64).toString('hex')}`)))
  return text.toString('utf8').replaceAll('\0', '')
}

/** Metadata of a token contract; fields it does not state are empty or null. */
export async function readToken(rpc: Rpc, address: Hex): Promise<Token> {
  const ask = async (selector: string): Promise<string> => {
    const answer = await rpc.call('eth_call', { to: address, data: selector }, 'latest').catch(() => '0x')
    return answer as string
  }
  const [name, symbol, decimals] = [await ask('0x06fdde03'), await ask('0x95d89b41'), await ask('0x313ce567')]
  return {
    address,
    name: name === '0x' ? '' : textOf(name),
    symbol: symbol === '0x' ? '' : textOf(symbol),
    decimals: decimals === '0x' ? null : Number(BigInt(decimals)),
  }
}
