import type { Market } from '../market/market.ts'
import { beginOf } from '../scenes.ts'
import { hexOf, tronWallets } from './actors.ts'
import { heldBy, names, type TronTx } from './ledger.ts'
import { planTron } from './plan.ts'

const firstBlock = 60_000_000
const secondsPerBlock = 3
/** Blocks until a block is final. */
const finality = 19

export type BlockedTx = TronTx & { block: number }
export type TronChain = ReturnType<typeof createTronChain>

/** The final part of the chain at an instant. */
export function createTronChain({ market }: { market: Market }) {
  const start = beginOf(market)
  const blockAt = (at: number): number => firstBlock + Math.floor((at - start) / secondsPerBlock)
  const txs = planTron({ market }).map((tx): BlockedTx => ({ ...tx, block: blockAt(tx.at) }))

  const finalBlock = (now: number): number => blockAt(now) - finality
  const until = (now: number): BlockedTx[] => txs.filter(({ block }) => block <= finalBlock(now))

  return {
    finalBlock,
    /** Milliseconds. */
    timeOf: (block: number): number => (start + (block - firstBlock) * secondsPerBlock) * 1_000,
    /** Transactions that name an account, oldest first. */
    of: (address: string, now: number): BlockedTx[] => until(now).filter((tx) => names(tx, address)),
    held: (address: string, now: number) => heldBy(address, until(now)),
    /** The tracked wallet whose 20 bytes end a parameter. */
    ownerOf: (parameter: string): string | null =>
      tronWallets.find(({ address }) => parameter.endsWith(hexOf(address)))?.address ?? null,
    find: (hash: string, now: number): BlockedTx | null => until(now).find((tx) => tx.hash === hash) ?? null,
  }
}

export const longHex = (address: string): string => `41${hexOf(address)}`
