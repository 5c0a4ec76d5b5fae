import type { Market } from '../market/market.ts'
import { liquidityAccountsAt, planLiquidity } from './liquidity.ts'
import type { SolanaTx } from './ledger.ts'
import { planSolana } from './plan.ts'
import { epochOf, planStaking, programAccountsAt } from './staking.ts'

const days = 728
const daysAhead = 400
const firstSlot = 240_000_000
const slotsPerSecond = 2.5
/** Slots until a slot is final. */
const finality = 32

export type SlottedTx = SolanaTx & { slot: number }
export type SolanaChain = ReturnType<typeof createSolanaChain>

/** The finalized part of the chain at an instant, indexed by account. */
export function createSolanaChain({ market }: { market: Market }) {
  const start = market.anchor - days * 86_400
  const slotOf = (at: number): number => firstSlot + Math.floor((at - start) * slotsPerSecond)
  const plans = [planSolana({ market, days, daysAhead }), planStaking(market), planLiquidity(market)]
  const txs = plans
    .flat()
    .toSorted((a, b) => a.at - b.at)
    .map((tx): SlottedTx => ({ ...tx, slot: slotOf(tx.at) }))
  const bySignature = new Map(txs.map((tx) => [tx.signature, tx]))
  const byAccount = new Map<string, SlottedTx[]>()
  for (const tx of txs)
    for (const { key } of tx.accounts) byAccount.set(key, [...(byAccount.get(key) ?? []), tx])
  const tokenAccounts = new Map<string, Set<string>>()
  for (const { key, after } of txs.flatMap((tx) => tx.accounts))
    if (after.token)
      tokenAccounts.set(after.token.owner, (tokenAccounts.get(after.token.owner) ?? new Set()).add(key))

  const finalSlot = (now: number): number => slotOf(now) - finality

  /** Transactions that reference an account, newest first. */
  function of(key: string, now: number): SlottedTx[] {
    return (byAccount.get(key) ?? []).filter((tx) => tx.slot <= finalSlot(now)).toReversed()
  }

  /** State of an account after its last transaction; null before the first. */
  function account(key: string, now: number) {
    return of(key, now)[0]?.accounts.find((one) => one.key === key)?.after ?? null
  }

  return {
    finalSlot,
    epochInfo: (now: number) => {
      const slot = finalSlot(now)
      return { absoluteSlot: slot, blockHeight: slot, ...epochOf(slot) }
    },
    programAccounts: (now: number) => {
      const at = { ...market, slot: finalSlot(now), slotOf }
      return [...programAccountsAt(at), ...liquidityAccountsAt(at)]
    },
    timeOf: (slot: number): number => Math.floor(start + (slot - firstSlot) / slotsPerSecond),
    of,
    account,
    find: (signature: string, now: number): SlottedTx | null => {
      const tx = bySignature.get(signature)
      return tx && tx.slot <= finalSlot(now) ? tx : null
    },
    /** Token accounts that an owner ever had. */
    tokenAccountsOf: (owner: string): string[] => [...(tokenAccounts.get(owner) ?? [])],
  }
}
