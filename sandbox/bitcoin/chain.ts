import type { Market } from '../market/market.ts'
import { hash32, hashText } from '../market/noise.ts'
import { BITCOIN, hashOf, type UtxoCoin } from './actors.ts'
import { planUtxoCoin, type PlannedTx } from './plan.ts'
import { blockIdOf, type BlockPlan, rawBlock } from './raw.ts'

const days = 728
const daysAhead = 400
const secondsPerBlock = 600
const firstHeight = 800_000
const genesis = '0'.repeat(64)

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
 * it, also of coins whose blocks come faster.
 */
export function createBitcoinChain(options: { market: Market; fork?: Fork; coin?: UtxoCoin }) {
  const { market, fork, coin = BITCOIN } = options
  const { wallets, outsiders, network } = coin
  const start = market.anchor - days * 86_400
  const key = hashText(market.seed, `${coin.id} blocks`)
  const planned = planUtxoCoin({ coin, market, days, daysAhead })

  /** Unix seconds when the block is found. */
  const timeOf = (height: number): number =>
    start + (height - firstHeight) * secondsPerBlock + (hash32(key, height) % secondsPerBlock)
  /** The miner's timestamp. Some clocks are slow, so timestamps may run backwards. */
  const stampOf = (height: number): number => timeOf(height) - (hash32(key + 1, height) % 4 === 0 ? 3_000 : 0)
  /** Height of the first block found after an instant. */
  function heightAfter(at: number): number {
    const height = firstHeight + Math.floor((at - start) / secondsPerBlock)
    return timeOf(height) > at ? height : height + 1
  }

  const heights = planned.map((tx) => heightAfter(tx.at))
  const firstForked = fork ? heights.findIndex((height) => height >= fork.height) : -1
  const placed = planned.flatMap((tx, i) => {
    if (firstForked < 0 || i < firstForked) return [{ tx, height: heights[i]! }]
    return i - firstForked < fork!.keep ? [{ tx, height: heights[i]! + 1 }] : []
  })
  const byHeight = Map.groupBy(placed, ({ height }) => height)

  // Each hash names the one before. They are made when they are needed, and branches share those below the fork.
  const main = mainIds(market, coin)
  const ids = fork ? main.slice(0, Math.max(0, fork.height - firstHeight)) : main
  const heightOf = new Map<string, number>()
  function idOf(height: number): string {
    for (let next = firstHeight + ids.length; next <= height; next++) ids.push(blockIdOf(planOf(next)))
    return ids[height - firstHeight] ?? genesis
  }
  function planOf(height: number): BlockPlan {
    return {
      network,
      height,
      previous: height === firstHeight ? genesis : ids[height - 1 - firstHeight]!,
      at: stampOf(height),
      branch: `${market.seed}${fork && height >= fork.height ? ' fork' : ''}`,
      txs: (byHeight.get(height) ?? []).map(({ tx }) => tx),
    }
  }
  const blockAt = (height: number): Block => ({
    height,
    get id() {
      return idOf(height)
    },
    get previous() {
      return idOf(height - 1)
    },
    at: stampOf(height),
  })

  const txs: ConfirmedTx[] = placed.map(({ tx, height }) => ({ ...tx, block: blockAt(height) }))
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
    vout: [{ address: wallets[1]!.name, value: 500_000 }],
  }

  /** null: no block of the chain at that instant */
  function heightOfId(id: string, now: number): number | null {
    idOf(tipAt(now))
    for (let i = heightOf.size; i < ids.length; i++) heightOf.set(ids[i]!, firstHeight + i)
    const height = heightOf.get(id)
    return height === undefined || height > tipAt(now) ? null : height
  }

  return {
    blockAt,
    heightOfId,
    /** The block as the network sends it. */
    rawAt(height: number): Buffer {
      idOf(height)
      return rawBlock(planOf(height))
    },
    /** Confirmed at a height, without the miner's. */
    at: (height: number): ConfirmedTx[] => txs.filter(({ block }) => block.height === height),
    /** With the miner's. */
    transactionsAt: (height: number): number => 1 + (byHeight.get(height)?.length ?? 0),
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

/** The blocks of a market without a fork, as far as they were asked for. */
const known = new WeakMap<Market, Map<string, string[]>>()
function mainIds(market: Market, { id }: UtxoCoin): string[] {
  const ofMarket = known.get(market) ?? new Map<string, string[]>()
  known.set(market, ofMarket)
  const ids = ofMarket.get(id) ?? []
  ofMarket.set(id, ids)
  return ids
}

export function addressesOf(tx: PlannedTx): Set<string> {
  return new Set([...tx.vin, ...tx.vout].flatMap(({ address }) => address ?? []))
}
