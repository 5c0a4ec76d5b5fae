import { BALANCES_PER_CALL } from '../../nodes/many-balances.ts'
import type { NodePlan } from '../../nodes/node-plans.ts'
import { HEADERS_PER_RANGE } from './fetch-ranges.ts'
import { filterCount } from './wallet-logs.ts'

/** Whether settled blocks of a gap cost less by ranges than one by one. Logs of ranges are read twice. */
export function rangesAreCheaper(gap: {
  blocks: number
  /** part of the blocks that concern wallets: they are read either way, and are found by balances */
  busy: number
  wallets: number
  method: 'receipts' | 'logs'
  plan: NodePlan
  logBlocks: number
}): boolean {
  const { blocks, busy, wallets, logBlocks } = gap
  const { cost, allowance } = gap.plan
  if (logBlocks === 0) return false
  const filters = filterCount({ wallets, isCounted: allowance !== null })
  const receipts = gap.method === 'receipts' ? 'eth_getBlockReceipts' : 'eth_getLogs'
  const block = cost('eth_getBlockByNumber') + cost(receipts)
  const byRanges =
    2 * filters * Math.ceil(blocks / logBlocks) * cost('eth_getLogs') +
    2 * Math.ceil(wallets / BALANCES_PER_CALL) * cost('eth_call') +
    HEADERS_PER_RANGE * cost('eth_getBlockByNumber') +
    busy * blocks * (block + 2 * cost('eth_call'))
  return byRanges < blocks * block
}
