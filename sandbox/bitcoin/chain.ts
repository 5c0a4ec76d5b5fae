import type { Market } from '../market/market.ts'
import { hash32, hashText } from '../market/noise.ts'
import { bitcoinWallets, hashOf, outsiders } from './actors.ts'
import { planBitcoin, type PlannedTx } from './plan.ts'

const days = 728
const daysAhead = 400
const secondsPerBlock = 600
const firstHeight = 800_000

export type Block = { height: number; id: string; previous: string; at: number }
export type ConfirmedTx = PlannedTx & { block: Block }
/**
 * Replaces the blocks from `height` on. Their first `keep` transactions move one block later; the rest
 * disappear.
 */
export type Fork = { height: number; keep: number }

export type BitcoinChain = ReturnType<typeof createBitcoinChain>

/**
 * The chain as a node sees it at an instant: one block every ten minutes with the transactions planned before
 * it.
 */
export function createBitcoinChain(options: { market: Market; fork?: Fork }) {
  const { market, fork } = options
  const start = market.anchor - days * 86_400
  const key = hashText(market.seed, 'bitcoin blocks')
  const planned = planBitcoin({ market, days, daysAhead })

  /** Unix seconds when the block is found. */
  const timeOf = (height: number): number =>
    start + (height - firstHeight) * secondsPerBlock + (hash32(key, height) % secondsPerBlock)
  /** The miner's timestamp. Some clocks are slow, so timestamps may run backwards. */
  const stampOf = (height: number): number => timeOf(height) - (hash32(key + 1, height) % 4 === 0 ? 3_000 : 0)
  const idOf = (height: number): string => {
    const branch = fork && height >= fork.height ? ' fork' : ''
    return '0'.repeat(19) + hashOf(`${market.seed} ${height}${branch}`).slice(19)
  }
  const blockAt = (height: number): Block => ({
    height,
    id: idOf(height),
    previous: idOf(height - 1),
    at: stampOf(height),
  })

  /** Height of the first block found after an instant. */
  function heightAfter(at: number): number {
    const height = firstHeight + Math.floor((at - start) / secondsPerBlock)
    return timeOf(height) > at ? height : height + 1
  }

  const heights = planned.map((tx) => heightAfter(tx.at))
  const firstForked = fork ? heights.findIndex((height) => height >= fork.height) : -1
  const txs: ConfirmedTx[] = planned.flatMap((tx, i) => {
    if (firstForked < 0 || i < firstForked) return [{ ...tx, block: blockAt(heights[i]!) }]
    return i - firstForked < fork!.keep ? [{ ...tx, block: blockAt(heights[i]! + 1) }] : []
  })
  const byAddress = new Map<string, ConfirmedTx[]>()
  for (const tx of txs)
    for (const address of addressesOf(tx)) byAddress.set(address, [...(byAddress.get(address) ?? []), tx])

  /** Height of the newest block at an instant. */
  const tipAt = (now: number): number => heightAfter(now) - 1

  /** A payment to a tracked wallet with a fee too low to be mined. */
  const stuck: PlannedTx = {
    txid: hashOf('stuck'),
    at: market.anchor,
    fee: 141,
    vin: [{ txid: hashOf('stuck input'), vout: 0, address: outsiders[0]!, value: 500_141 }],
    vout: [{ address: bitcoinWallets[1]!.name, value: 500_000 }],
  }

  return {
    blockAt,
    /** Unix seconds when the block is found, which may differ from its timestamp. */
    foundAt: timeOf,
    tipAt,
    firstHeight,
    /** Confirmed transactions of an address at an instant, newest first. */
    of: (address: string, now: number): ConfirmedTx[] =>
      (byAddress.get(address) ?? []).filter(({ block }) => block.height <= tipAt(now)).toReversed(),
    /** Transactions of an address in the mempool. */
    waiting: (address: string, now: number): PlannedTx[] =>
      [stuck, ...(byAddress.get(address) ?? []).filter(({ block }) => block.height > tipAt(now))].filter(
        (tx) => tx.at <= now && addressesOf(tx).has(address),
      ),
    find: (txid: string): ConfirmedTx | null => txs.find((tx) => tx.txid === txid) ?? null,
  }
}

export function addressesOf(tx: PlannedTx): Set<string> {
  return new Set([...tx.vin, ...tx.vout].flatMap(({ address }) => address ?? []))
}
