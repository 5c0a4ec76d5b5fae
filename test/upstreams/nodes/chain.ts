import { getContractAddress, keccak256, toHex } from 'viem'
import type { Hex } from 'viem'
import { bloomOf, orBlooms } from './bloom.ts'

// A chain in memory, the same for the same calls. The doubles of nodes answer from it.

export interface TransactionSpec {
  from: string
  /** null: creates a contract */
  to: string | null
  value?: bigint
  input?: string
  logs?: readonly LogSpec[]
  /** value that contracts send inside the transaction */
  internals?: readonly { from: string; to: string; value: bigint }[]
  gasUsed?: bigint
  fails?: boolean
  /** what a deposit to a rollup credits to its sender, who pays no gas */
  mint?: bigint
}

/** A withdrawal of a validator, in 10^9 base units. */
export interface Withdrawal {
  address: string
  gwei: bigint
}

export interface LogSpec {
  address: string
  topics: readonly string[]
  data: string
}

export interface MemoryTransaction extends Required<Omit<TransactionSpec, 'logs' | 'fails'>> {
  hash: string
  index: number
  succeeds: boolean
  nonce: number
  contractAddress: string | null
  logs: readonly (LogSpec & { logIndex: number })[]
  logsBloom: string
}

export interface MemoryBlock {
  number: number
  hash: string
  parentHash: string
  timestamp: number
  gasUsed: bigint
  logsBloom: string
  transactions: readonly MemoryTransaction[]
  /** `index` counts those of the whole chain */
  withdrawals: readonly (Withdrawal & { index: number })[]
}

export interface MemoryChain {
  chainId: number
  head: () => number
  mine: (...transactions: TransactionSpec[]) => MemoryBlock
  /** The next block pays these out. */
  withdraw: (...withdrawals: Withdrawal[]) => void
  /** A second chain with the blocks up to `number`; what it mines from there on differs by `salt`. */
  fork: (number: number, salt: string) => MemoryChain
  block: (key: number | string) => MemoryBlock | null
  find: (hash: string) => { block: MemoryBlock; transaction: MemoryTransaction } | null
  nativeBalance: (address: string, number: number) => bigint
  tokenBalance: (balance: { token: string; owner: string }, number: number) => bigint
}

export const GAS_PRICE = 1_000_000_000n
export const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const PLAIN_GAS = 21_000n
const CALL_GAS = 65_000n

interface ChainOptions {
  chainId?: number
  /** Unix seconds of block 0 */
  startSeconds?: number
  blockSeconds?: number
  /** native balances at block 0 */
  funds?: Record<string, bigint>
}

export function createMemoryChain(options: ChainOptions = {}): MemoryChain {
  const { chainId = 1, startSeconds = 1_790_000_000, blockSeconds = 12, funds = {} } = options
  return chainOf({ chainId, blockSeconds, funds, salt: '' }, [
    blockOf(
      { number: 0, parentHash: `0x${'00'.repeat(32)}`, timestamp: startSeconds, salt: '', withdrawals: [] },
      [],
    ),
  ])
}

interface Fixed {
  chainId: number
  blockSeconds: number
  funds: Record<string, bigint>
  salt: string
}

function chainOf(fixed: Fixed, blocks: MemoryBlock[]): MemoryChain {
  const { chainId, blockSeconds, funds, salt } = fixed
  const byHash = new Map(blocks.map((block) => [block.hash, block]))
  const places = new Map(blocks.flatMap(placesOf))
  const head = () => blocks.length - 1
  const nonces = new Map<string, number>()
  let paidOut: Withdrawal[] = []
  for (const { from } of blocks.flatMap((block) => block.transactions)) countNonce(from)

  function countNonce(from: string): number {
    const nonce = nonces.get(from) ?? 0
    nonces.set(from, nonce + 1)
    return nonce
  }

  function mine(...specs: TransactionSpec[]): MemoryBlock {
    const parent = blocks.at(-1)!
    const made = specs.map((spec, index) => ({ ...spec, index, nonce: countNonce(spec.from) }))
    const timestamp = parent.timestamp + blockSeconds
    const before = blocks.reduce((count, block) => count + block.withdrawals.length, 0)
    const withdrawals = paidOut.map((one, i) => ({ ...one, index: before + i }))
    paidOut = []
    const place = { number: parent.number + 1, parentHash: parent.hash, timestamp, salt, withdrawals }
    const block = blockOf(place, made)
    blocks.push(block)
    byHash.set(block.hash, block)
    for (const [hash, place] of placesOf(block)) places.set(hash, place)
    return block
  }

  function sum(number: number, of: (transaction: MemoryTransaction) => bigint): bigint {
    let total = 0n
    for (const block of blocks.slice(0, number + 1))
      for (const transaction of block.transactions) total += of(transaction)
    return total
  }

  function withdrawn(number: number, address: string): bigint {
    const all = blocks.slice(0, number + 1).flatMap(({ withdrawals }) => withdrawals)
    return all.reduce((total, one) => (one.address === address ? total + one.gwei * 10n ** 9n : total), 0n)
  }

  return {
    chainId,
    head,
    mine,
    withdraw: (...withdrawals) => void paidOut.push(...withdrawals),
    fork: (number, forkSalt) => chainOf({ ...fixed, salt: forkSalt }, blocks.slice(0, number + 1)),
    block: (key) => (typeof key === 'number' ? blocks[key] : byHash.get(key)) ?? null,
    find: (hash) => places.get(hash) ?? null,
    nativeBalance: (address, number) =>
      (funds[address] ?? 0n) + sum(number, (one) => nativeChange(one, address)) + withdrawn(number, address),
    tokenBalance: ({ token, owner }, number) => sum(number, (one) => tokenChange(one, { token, owner })),
  }
}

const placesOf = (block: MemoryBlock) =>
  block.transactions.map((transaction) => [transaction.hash, { block, transaction }] as const)

function blockOf(
  place: Pick<MemoryBlock, 'number' | 'parentHash' | 'timestamp' | 'withdrawals'> & { salt: string },
  specs: readonly (TransactionSpec & { index: number; nonce: number })[],
): MemoryBlock {
  let logIndex = 0
  const transactions = specs.map((spec): MemoryTransaction => {
    const { from, to, value = 0n, mint = 0n, input = '0x', internals = [], index, nonce } = spec
    const logs = spec.fails ? [] : (spec.logs ?? []).map((log) => ({ ...log, logIndex: logIndex++ }))
    const hash = hashOf('transaction', from, to, value, input, nonce, place.salt)
    return {
      hash,
      index,
      nonce,
      from,
      to,
      value,
      mint,
      input,
      logs,
      internals: spec.fails ? [] : internals,
      gasUsed: spec.gasUsed ?? (input === '0x' ? PLAIN_GAS : CALL_GAS),
      succeeds: !spec.fails,
      contractAddress:
        to === null ? getContractAddress({ from: from as Hex, nonce: BigInt(nonce) }).toLowerCase() : null,
      logsBloom: bloomOf(logs),
    }
  })
  const { number, parentHash, timestamp, salt, withdrawals } = place
  const paid = withdrawals.map(({ address, gwei, index }) => `${index} ${address} ${gwei}`)
  return {
    number,
    parentHash,
    timestamp,
    transactions,
    withdrawals,
    hash: hashOf(
      'block',
      number,
      parentHash,
      timestamp,
      salt,
      ...transactions.map(({ hash }) => hash),
      ...paid,
    ),
    gasUsed: transactions.reduce((total, { gasUsed }) => total + gasUsed, 0n),
    logsBloom: orBlooms(transactions.map(({ logsBloom }) => logsBloom)),
  }
}

function hashOf(...parts: unknown[]): string {
  return keccak256(toHex(parts.map(String).join('|')))
}

/** Deposits to a rollup paid on the other chain. */
const gasCost = ({ gasUsed, mint }: Pick<MemoryTransaction, 'gasUsed' | 'mint'>): bigint =>
  mint > 0n ? 0n : gasUsed * GAS_PRICE

function nativeChange(one: MemoryTransaction, address: string): bigint {
  let change = 0n
  if (one.from === address) change += one.mint - gasCost(one)
  if (!one.succeeds) return change
  const receiver = one.to ?? one.contractAddress
  for (const { from, to, value } of [{ from: one.from, to: receiver, value: one.value }, ...one.internals]) {
    if (from === address) change -= value
    if (to === address) change += value
  }
  return change
}

function tokenChange(one: MemoryTransaction, { token, owner }: { token: string; owner: string }): bigint {
  const topic = topicOf(owner)
  let change = 0n
  for (const { address, topics, data } of one.logs) {
    if (address !== token || topics[0] !== TRANSFER_TOPIC || topics.length !== 3) continue
    if (topics[1] === topic) change -= BigInt(data)
    if (topics[2] === topic) change += BigInt(data)
  }
  return change
}

/** An address as a topic of a log. */
export function topicOf(address: string): string {
  return `0x${address.slice(2).padStart(64, '0')}`
}

/** A call of an ERC-20 contract that moves tokens; `from` sends the transaction. */
export function tokenTransfer(move: {
  token: string
  from: string
  to: string
  raw: bigint
}): TransactionSpec {
  const data = `0x${move.raw.toString(16).padStart(64, '0')}`
  return {
    from: move.from,
    to: move.token,
    input: `0xa9059cbb${topicOf(move.to).slice(2)}${data.slice(2)}`,
    logs: [{ address: move.token, topics: [TRANSFER_TOPIC, topicOf(move.from), topicOf(move.to)], data }],
  }
}
