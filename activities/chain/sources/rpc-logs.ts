import { SourceRejected, SourceUnavailable } from '../../errors.ts'
import { type RpcLog, TOPICS } from './decode-log.ts'
import type { RpcClient } from '../../rpc-client.ts'
import { ResponseTooLarge } from '../../rpc-client.ts'

export type TopicFilter = (string | readonly string[] | null)[]

/** Matches the errors of providers for a range or response that is too big. */
const REFUSED_RANGE =
  /limited to|max(imum)? (block )?range|block range|range (is )?too (large|wide|big)|query exceeds|exceeds? (the )?(max|limit)|more than \d+ (results|logs)|limit exceeded|response size|too many (results|logs|blocks)|log response/i
const RATE_LIMIT = /\brate\b|too many requests|requests per|per (second|minute|day)|quota|credits/i
/** Matches a number of blocks that the error suggests. */
const SUGGESTED = [
  /limited to (?:a )?([\d,.]+)/i,
  /max(?:imum)?(?: block)? range:? (?:is |of )?([\d,]+)/i,
  /up to (?:a )?([\d,]+) blocks?/i,
  /exceeds? (?:the )?(?:max(?:imum)?|limit)(?: of)?:? ([\d,]+) blocks/i,
]
/** Matches a suggested range in hexadecimal block numbers. */
const SUGGESTED_RANGE = /\[?(0x[0-9a-f]+), ?(0x[0-9a-f]+)\]?/i

/** Starts small: a node does the whole work before it refuses an oversized response. */
const FIRST_SIZE = 125
const LARGEST_SIZE = 100_000

/**
 * The logs from the end of the previous page up to `toBlock`. A log that matches several filters is repeated.
 */
export interface LogPage {
  toBlock: number
  logs: RpcLog[]
}

export type LogReader = (range: {
  fromBlock: number
  toBlock: number
  filters: readonly TopicFilter[]
}) => AsyncGenerator<LogPage>

/**
 * Reads logs in ranges that the provider accepts. Each success doubles the size until the first refusal;
 * later successes add a tenth. After a refusal it uses the suggested size, else half. The reader remembers
 * the size, so each provider and chain has its own. A single block that is still refused is read by its
 * receipts.
 */
export function createLogReader(rpc: RpcClient): LogReader {
  let size = FIRST_SIZE
  let growth = 2
  return async function* ({ fromBlock, toBlock, filters }) {
    for (let at = fromBlock; at <= toBlock;) {
      const end = Math.min(toBlock, at + size - 1)
      try {
        const range = { fromBlock: hex(at), toBlock: hex(end) }
        const found = await Promise.all(
          filters.map((topics) => rpc.call('eth_getLogs', { ...range, topics })),
        )
        yield { toBlock: end, logs: (found as RpcLog[][]).flat() }
        if (end - at + 1 >= size) size = Math.min(LARGEST_SIZE, Math.ceil(size * growth))
      } catch (error) {
        if (!isRefusedRange(error)) throw error
        growth = 1.1
        const asked = end - at + 1
        if (asked > 1) {
          const suggested = suggestedSize(error.message, at)
          size = suggested !== null && suggested < asked ? suggested : Math.floor(asked / 2)
          continue
        }
        const logs = await logsOfReceipts(rpc, at)
        yield { toBlock: end, logs: logs.filter((log) => filters.some((topics) => matches(log, topics))) }
      }
      at = end + 1
    }
  }
}

function isRefusedRange(error: unknown): error is Error {
  if (error instanceof ResponseTooLarge) return true
  const fromSource = error instanceof SourceRejected || error instanceof SourceUnavailable
  return fromSource && REFUSED_RANGE.test(error.message) && !RATE_LIMIT.test(error.message)
}

function suggestedSize(message: string, fromBlock: number): number | null {
  const range = SUGGESTED_RANGE.exec(message)
  if (range && Number(range[1]) === fromBlock) return Math.max(1, Number(range[2]) - fromBlock + 1)
  for (const pattern of SUGGESTED) {
    const found = pattern.exec(message)?.[1]
    if (found !== undefined) return Math.max(1, Number(found.replace(/[,.]/g, '')))
  }
  return null
}

async function logsOfReceipts(rpc: RpcClient, block: number): Promise<RpcLog[]> {
  const receipts = (await rpc.call('eth_getBlockReceipts', hex(block))) as { logs: RpcLog[] }[] | null
  if (receipts === null) throw new SourceUnavailable(rpc.source, `no receipts of block ${block}`)
  return receipts.flatMap((receipt) => receipt.logs)
}

function matches(log: RpcLog, topics: TopicFilter): boolean {
  return topics.every((wanted, i) => {
    if (wanted === null) return true
    const topic = log.topics[i]
    return topic !== undefined && (typeof wanted === 'string' ? wanted === topic : wanted.includes(topic))
  })
}

function hex(number: number): string {
  return `0x${number.toString(16)}`
}

/**
 * Hashes of the transactions in whose logs one of the accounts moves or approves a token. Stops early at
 * `toBlock` once it has `enough` logs.
 */
export async function transactionsByLogs(request: {
  readLogs: LogReader
  fromBlock: number
  toBlock: number
  accounts: ReadonlySet<string>
  enough: number
}): Promise<{ hashes: Set<string>; toBlock: number }> {
  const { readLogs, fromBlock, toBlock, enough } = request
  const hashes = new Set<string>()
  let logs = 0
  for await (const page of readLogs({ fromBlock, toBlock, filters: filtersOf(request.accounts) })) {
    for (const log of page.logs) hashes.add(log.transactionHash)
    logs += page.logs.length
    if (logs >= enough) return { hashes, toBlock: page.toBlock }
  }
  return { hashes, toBlock }
}

/** Filters that together match every log in which one of the accounts moves or approves a token. */
function filtersOf(accounts: ReadonlySet<string>): TopicFilter[] {
  const padded = [...accounts].map((account) => `0x${account.slice(2).padStart(64, '0')}`)
  const multi = [TOPICS.transferSingle, TOPICS.transferBatch]
  const first = [TOPICS.transfer, TOPICS.approval, TOPICS.approvalForAll, TOPICS.deposit, TOPICS.withdrawal]
  return [
    [first, padded],
    [TOPICS.transfer, null, padded],
    [multi, null, padded],
    [multi, null, null, padded],
  ]
}
