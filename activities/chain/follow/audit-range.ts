import type pg from 'pg'
import { unknownTransactions } from '../../../db/chain/cold-transactions.ts'
import { hasEveryBlock } from '../../../db/chain/follows.ts'
import { createAddressSet } from './address-set.ts'
import { evmWallets } from './evm-wallets.ts'
import { RANGE_METHODS } from './fetch-ranges.ts'
import { commitLeftOut } from './commit-batch.ts'
import type { ChosenNode } from '../../nodes/node-pool.ts'
import type { BlockMethods } from './block-methods.ts'
import { readNumbers } from './read-batch.ts'
import type { ReadDeps } from './read-batch.ts'
import { readWalletLogs } from './wallet-logs.ts'

interface AuditDeps {
  pool: pg.Pool
  methods: BlockMethods
  wallets: () => Promise<ReadonlySet<string>>
  reading: ReadDeps
}

/**
 * Reads the logs of settled blocks a second time, from another node if there is a fit one, where not each of the
 * blocks was read whole: nothing proves that a node gave all logs of a range. Blocks with a log that was left
 * out are committed.
 */
export async function auditRange(
  { pool, methods, wallets, reading }: AuditDeps,
  input: { networkId: string; epoch: string; above: number; through: number },
): Promise<void> {
  const { networkId, epoch, above, through } = input
  if (await hasEveryBlock(pool, { networkId, above, through })) return
  const node = secondReader(methods)
  const own = await wallets()
  const range = { fromBlock: above + 1, toBlock: through }
  const { contracts } = reading
  const logs = await readWalletLogs(node, { wallets: own, contracts, ...range })
  const hashes = [...new Set(logs.map(({ log }) => log.transactionHash))]
  const unknown = new Set(await unknownTransactions(pool, { networkId, hashes }))
  const leftOut = logs.filter(({ log }) => unknown.has(log.transactionHash))
  if (leftOut.length === 0) return
  const set = createAddressSet()
  for (const { wallets: named } of leftOut) for (const wallet of named) set.add(wallet)
  const numbers = [...new Set(leftOut.map(({ log }) => Number(log.blockNumber)))].toSorted((a, b) => a - b)
  const blocks = await readNumbers(reading, { numbers, set })
  const { source } = reading
  const reader = evmWallets(networkId)
  await commitLeftOut({ pool, reader }, { networkId, source, epoch, fetchedAt: reading.now(), blocks })
}

/** A plan whose ranges are this much narrower would spend its day on the second reading. */
const MUCH_NARROWER = 10

/** Another node, unless it takes many times the calls. */
function secondReader(methods: BlockMethods): ChosenNode {
  const { node } = methods.current()
  const other = methods.other(RANGE_METHODS)
  const isMuchNarrower = other.client.logRange.blocks() * MUCH_NARROWER < node.client.logRange.blocks()
  return isMuchNarrower ? node : other
}
