import { hash as digest } from 'node:crypto'
import { getContractAddress } from 'viem'
import type { Hex } from 'viem'
import { bloomOf, orBlooms } from './bloom.ts'
import { createLedger } from './ledger.ts'

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

export interface FoundTransaction {
  block: MemoryBlock
  transaction: MemoryTransaction
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
  find: (hash: string) => FoundTransaction | null
  /** Transactions that name an address: as a party, or in a topic. */
  naming: (address: string) => readonly FoundTransaction[]
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
  /** may be a fraction: times are cut to whole seconds */
  blockSeconds?: number
  /** native balances at block 0 */
  funds?: Record<string, bigint>
}

export function createMemoryChain(options: ChainOptions = {}): MemoryChain {
  const { chainId = 1, startSeconds = 1_790_000_000, blockSeconds = 12, funds = {} } = options
  return chainOf({ chainId, startSeconds, blockSeconds, funds, salt: '' }, [
    blockOf(
      { number: 0, parentHash: `0x${'00'.repeat(32)}`, timestamp: startSeconds, salt: '', withdrawals: [] },
      [],
    ),
  ])
}

interface Fixed {
  chainId: number
  startSeconds: number
  blockSeconds: number
  funds: Record<string, bigint>
  salt: string
}

function chainOf(fixed: Fixed, blocks: MemoryBlock[]): MemoryChain {
  const { chainId, startSeconds, blockSeconds, funds, salt } = fixed
  const byHash = new Map<string, MemoryBlock>()
  const places = new Map<string, FoundTransaction>()
  const byAddress = new Map<string, FoundTransaction[]>()
  const nonces = new Map<string, number>()
  const [natives, tokens] = [createLedger(), createLedger()]
  let paidOut: Withdrawal[] = []
  let withdrawals = 0
  for (const [address, amount] of Object.entries(funds)) natives.add(address, { block: 0, amount })
  for (const block of blocks) index(block)

  function index(block: MemoryBlock): void {
    const { number } = block
    byHash.set(block.hash, block)
    for (const transaction of block.transactions) {
      const found = { block, transaction }
      nonces.set(transaction.from, transaction.nonce + 1)
      places.set(transaction.hash, found)
      for (const address of namedBy(transaction)) {
        const known = byAddress.get(address)
        if (known) known.push(found)
        else byAddress.set(address, [found])
      }
      for (const [address, amount] of nativeChanges(transaction))
        natives.add(address, { block: number, amount })
      for (const [key, amount] of tokenChanges(transaction)) tokens.add(key, { block: number, amount })
    }
    for (const { address, gwei } of block.withdrawals)
      natives.add(address, { block: number, amount: gwei * 10n ** 9n })
    withdrawals += block.withdrawals.length
  }

  function mine(...specs: TransactionSpec[]): MemoryBlock {
    const parent = blocks.at(-1)!
    const number = parent.number + 1
    const sent = new Map<string, number>()
    const made = specs.map((spec, index) => {
      const nonce = sent.get(spec.from) ?? nonces.get(spec.from) ?? 0
      sent.set(spec.from, nonce + 1)
      return { ...spec, index, nonce }
    })
    const block = blockOf(
      {
        number,
        parentHash: parent.hash,
        timestamp: Math.floor(startSeconds + number * blockSeconds),
        salt,
        withdrawals: paidOut.map((one, i) => ({ ...one, index: withdrawals + i })),
      },
      made,
    )
    paidOut = []
    blocks.push(block)
    index(block)
    return block
  }

  return {
    chainId,
    head: () => blocks.length - 1,
    mine,
    withdraw: (...all) => void paidOut.push(...all),
    fork: (number, forkSalt) => chainOf({ ...fixed, salt: forkSalt }, blocks.slice(0, number + 1)),
    block: (key) => (typeof key === 'number' ? blocks[key] : byHash.get(key)) ?? null,
    find: (hash) => places.get(hash) ?? null,
    naming: (address) => byAddress.get(address) ?? [],
    nativeBalance: (address, number) => natives.at(address, number),
    tokenBalance: ({ token, owner }, number) => tokens.at(`${token} ${topicOf(owner)}`, number),
  }
}

function namedBy(one: MemoryTransaction): Set<string> {
  const internals = one.internals.flatMap(({ from, to }) => [from, to])
  const topics = one.logs.flatMap((log) => log.topics.slice(1).map((topic) => `0x${topic.slice(26)}`))
  return new Set([one.from, one.to ?? one.contractAddress!, ...internals, ...topics])
}

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

/** Not the chain's own hash: nobody recomputes it, and a day has half a million blocks. */
function hashOf(...parts: unknown[]): string {
  return `0x${digest('sha256', parts.map(String).join('|'))}`
}

/** Deposits to a rollup paid on the other chain. */
const gasCost = ({ gasUsed, mint }: Pick<MemoryTransaction, 'gasUsed' | 'mint'>): bigint =>
  mint > 0n ? 0n : gasUsed * GAS_PRICE

type Changes = Iterable<readonly [string, bigint]>

function* nativeChanges(one: MemoryTransaction): Changes {
  yield [one.from, one.mint - gasCost(one)]
  if (!one.succeeds) return
  const to = one.to ?? one.contractAddress!
  for (const { from, to: receiver, value } of [{ from: one.from, to, value: one.value }, ...one.internals]) {
    yield [from, -value]
    yield [receiver, value]
  }
}

/** By token and topic of the owner. */
function* tokenChanges(one: MemoryTransaction): Changes {
  for (const { address, topics, data } of one.logs) {
    if (topics[0] !== TRANSFER_TOPIC || topics.length !== 3) continue
    yield [`${address} ${topics[1]}`, -BigInt(data)]
    yield [`${address} ${topics[2]}`, BigInt(data)]
  }
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

const APPROVAL_TOPIC = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'

/** The log of an ERC-20 contract that lets `to` spend tokens of `from`. */
export function tokenApproval({
  token,
  from,
  to,
  raw,
}: {
  token: string
  from: string
  to: string
  raw: bigint
}): LogSpec {
  const data = `0x${raw.toString(16).padStart(64, '0')}`
  return { address: token, topics: [APPROVAL_TOPIC, topicOf(from), topicOf(to)], data }
}
