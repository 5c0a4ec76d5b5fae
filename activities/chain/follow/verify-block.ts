import { SourceUnavailable } from '../../errors.ts'
import type { RpcLog } from '../sources/decode-log.ts'
import type { FollowedHeader, FollowedReceipt } from './block-data.ts'
import { bloomOf, isEmptyBloom, joinBlooms } from './logs-bloom.ts'

/** A rule that some chains break by design: `networks.unproven` names those of a network. */
export type BlockRule = 'gas' | 'bloom' | 'logs'

/** A node's answers do not prove that the block is complete. Another node, or a later try, may give more. */
export class IncompleteBlock extends SourceUnavailable {}

/**
 * Proves by the header that the receipts are those of the block, and all of them. Known offenders: receipts
 * of a full block are empty (reth I23394), null after a reorg (geth I29261), or not there yet at the head
 * (geth I26098). Throws IncompleteBlock.
 */
export function verifyBlock(input: {
  source: string
  header: FollowedHeader
  receipts: unknown
  unproven: ReadonlySet<BlockRule>
}): readonly FollowedReceipt[] {
  const { source, header, unproven } = input
  const problem = problemOf(header, input.receipts, unproven)
  if (problem !== null)
    throw new IncompleteBlock(source, `block ${Number(header.number)} (${header.hash}): ${problem}`)
  return input.receipts as readonly FollowedReceipt[]
}

/**
 * Proves by the header that the logs are those of the block, and all of them. Only the root of the receipts
 * would show that one of two equal last logs is missing. Throws IncompleteBlock.
 */
export function verifyLogs(input: {
  source: string
  header: FollowedHeader
  logs: unknown
  unproven: ReadonlySet<BlockRule>
}): readonly RpcLog[] {
  const { source, header, unproven } = input
  const logs = input.logs as readonly RpcLog[]
  const problem = logListProblem(header, logs, unproven)
  if (problem !== null)
    throw new IncompleteBlock(source, `block ${Number(header.number)} (${header.hash}): ${problem}`)
  return logs
}

function logListProblem(
  header: FollowedHeader,
  logs: readonly RpcLog[],
  unproven: ReadonlySet<BlockRule>,
): string | null {
  if (!Array.isArray(logs)) return 'the node has no logs of it'
  const hashes = new Set(header.transactions.map((one) => (typeof one === 'string' ? one : one.hash)))
  const foreign = logs.find((log) => log.blockHash !== header.hash || !hashes.has(log.transactionHash))
  if (foreign) return `log ${Number(foreign.logIndex)} is of block ${foreign.blockHash}`
  const problem = unproven.has('logs') ? null : logsProblem([{ logs }])
  if (problem !== null || unproven.has('bloom')) return problem
  return bloomOf(logs) === header.logsBloom ? null : 'the logs do not give the bloom filter of the header'
}

function problemOf(header: FollowedHeader, given: unknown, unproven: ReadonlySet<BlockRule>): string | null {
  if (!Array.isArray(given)) return 'the node has no receipts of it'
  const receipts = given as readonly FollowedReceipt[]
  const { transactions } = header
  if (receipts.length !== transactions.length)
    return `${receipts.length} receipts of ${transactions.length} transactions`
  for (const [i, receipt] of receipts.entries()) {
    if (receipt.blockHash !== header.hash) return `receipt ${i} is of block ${receipt.blockHash}`
    const transaction = transactions[i]!
    const hash = typeof transaction === 'string' ? transaction : transaction.hash
    if (receipt.transactionHash !== hash) return `receipt ${i} is not of transaction ${hash}`
  }
  return (
    (unproven.has('logs') ? null : logsProblem(receipts)) ??
    (unproven.has('gas') ? null : gasProblem(header, receipts)) ??
    (unproven.has('bloom') ? null : bloomProblem(header, receipts))
  )
}

function logsProblem(receipts: readonly Pick<FollowedReceipt, 'logs'>[]): string | null {
  let expected = 0
  for (const { logs } of receipts)
    for (const { logIndex } of logs)
      if (Number(logIndex) !== expected++) return `log ${expected - 1} is missing`
  return null
}

function gasProblem(header: FollowedHeader, receipts: readonly FollowedReceipt[]): string | null {
  const used = BigInt(receipts.at(-1)?.cumulativeGasUsed ?? 0)
  return used === BigInt(header.gasUsed) ? null : `receipts use ${used} gas of ${BigInt(header.gasUsed)}`
}

/**
 * A gap in the log indexes shows a log that is left out, but not of the last ones. So the filter of each
 * receipt must be empty where it has no logs, and that of the last logs is computed from them.
 */
function bloomProblem(header: FollowedHeader, receipts: readonly FollowedReceipt[]): string | null {
  for (const [i, { logs, logsBloom }] of receipts.entries())
    if ((logs.length === 0) !== isEmptyBloom(logsBloom))
      return `receipt ${i} has ${logs.length} logs, and its bloom filter says otherwise`
  const last = receipts.findLast(({ logs }) => logs.length > 0)
  if (last && bloomOf(last.logs) !== last.logsBloom) return 'the last logs do not give their bloom filter'
  return joinBlooms(receipts.map(({ logsBloom }) => logsBloom)) === header.logsBloom
    ? null
    : 'the bloom filters of the receipts do not give that of the header'
}
