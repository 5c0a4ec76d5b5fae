import { SourceUnavailable } from '../../errors.ts'
import { type RpcLog, TOPICS } from './decode-log.ts'
import { hexOf, refusalOf, ResponseTooLarge } from '../../nodes/rpc.ts'
import type { Refusal, RpcClient } from '../../nodes/rpc.ts'

type TopicFilter = (string | readonly string[] | null)[]

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
 * Reads logs in ranges that the node accepts (activities/nodes/rpc-limits.ts). A single block that is still refused,
 * and every block of a node without logs, is read by its receipts.
 */
export function createLogReader(rpc: RpcClient): LogReader {
  return async function* ({ fromBlock, toBlock, filters }) {
    for (let at = fromBlock; at <= toBlock;) {
      const { logRange } = rpc
      const end = Math.min(toBlock, at + logRange.blocks() - 1)
      const asked = end - at + 1
      try {
        const range = { fromBlock: hexOf(at), toBlock: hexOf(end) }
        const found = await Promise.all(
          filters.map((topics) => rpc.call('eth_getLogs', { ...range, topics })),
        )
        yield { toBlock: end, logs: (found as RpcLog[][]).flat() }
        logRange.accepted(asked)
        at = end + 1
      } catch (error) {
        const refusal = readableRefusal(error)
        if (!refusal) throw error
        const hasLogs = refusal.kind !== 'method'
        if (hasLogs) logRange.refused(asked, refusal)
        if (hasLogs && asked > 1) continue
        const logs = await logsOfReceipts(rpc, at)
        yield { toBlock: at, logs: logs.filter((log) => filters.some((topics) => matches(log, topics))) }
        at++
      }
    }
  }
}

/** A refusal after which a smaller range, or the receipts, may pass. */
function readableRefusal(error: unknown): Refusal | null {
  if (error instanceof ResponseTooLarge) return { kind: 'result', blocks: null }
  const refusal = refusalOf(error)
  return refusal && ['range', 'result', 'slow', 'method'].includes(refusal.kind) ? refusal : null
}

async function logsOfReceipts(rpc: RpcClient, block: number): Promise<RpcLog[]> {
  const receipts = (await rpc.call('eth_getBlockReceipts', hexOf(block))) as { logs: RpcLog[] }[] | null
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

/**
 * Hashes of the transactions whose logs are about one of the accounts. Stops early at `toBlock` once it has
 * `enough` logs.
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

/**
 * Filters that together match every log in which one of the accounts moves or approves something, or operated as a
 * smart account: one for each topic that may be the account.
 */
export function filtersOf(accounts: ReadonlySet<string>): TopicFilter[] {
  const padded = [...accounts].map((account) => `0x${account.slice(2).padStart(64, '0')}`)
  const multi = [TOPICS.transferSingle, TOPICS.transferBatch]
  const first = [TOPICS.transfer, TOPICS.approval, TOPICS.approvalForAll, TOPICS.deposit, TOPICS.withdrawal]
  return [
    [first, padded],
    [[TOPICS.transfer, TOPICS.operation, ...multi], null, padded],
    [multi, null, null, padded],
  ]
}
