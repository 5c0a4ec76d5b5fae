import type { UsableNode } from '../../nodes/node-pool.ts'
import { TOPICS } from '../sources/decode-log.ts'
import type { RpcLog } from '../sources/decode-log.ts'
import { accountsOf } from '../sources/decode-transaction.ts'
import type { NativeContracts } from '../sources/native-transfers.ts'
import { createLogReader, filtersOf } from '../sources/rpc-logs.ts'

/** geth and Erigon take no more values in one position of a filter. */
const MOST_IN_FILTER = 1_000
const EVENTS = Object.values(TOPICS)

/** A log with the wallets that it is about. */
export interface WalletLog {
  log: RpcLog
  wallets: string[]
}

/**
 * Logs of a range that are about one of the wallets. Up to 1,000 wallets are named in three filters. Of more
 * wallets, and where calls are counted, the logs of all accounts are read by one filter. A node may leave a log out:
 * nothing proves that these are all.
 */
export async function readWalletLogs(
  { client, plan }: Pick<UsableNode, 'client' | 'plan'>,
  input: {
    wallets: ReadonlySet<string>
    contracts: NativeContracts
    fromBlock: number
    toBlock: number
  },
): Promise<WalletLog[]> {
  const { wallets, contracts, fromBlock, toBlock } = input
  if (wallets.size === 0) return []
  const isCounted = plan.allowance !== null
  const filters = filterCount({ wallets: wallets.size, isCounted }) === 1 ? [[EVENTS]] : filtersOf(wallets)
  const found = new Map<string, WalletLog>()
  for await (const { logs } of createLogReader(client)({ fromBlock, toBlock, filters }))
    for (const log of logs) {
      const own = accountsOf(log, contracts).filter((one) => wallets.has(one))
      if (own.length > 0) found.set(`${log.blockHash} ${log.logIndex}`, { log, wallets: own })
    }
  return [...found.values()]
}

/** Filters that the logs of a range are asked for by. */
export function filterCount({ wallets, isCounted }: { wallets: number; isCounted: boolean }): 1 | 3 {
  return isCounted || wallets > MOST_IN_FILTER ? 1 : 3
}
