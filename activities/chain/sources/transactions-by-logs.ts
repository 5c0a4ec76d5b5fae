import { TOPICS } from './decode-log.ts'
import type { LogReader, TopicFilter } from './rpc-logs.ts'

/**
 * Hashes of the transactions in whose logs one of the accounts moves or allows a token. With `enough` logs they end
 * early, at `toBlock`.
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

/** Filters that together give every log in which one of the accounts moves or allows a token. */
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
