import { provider } from './actors.ts'
import { type Changes, createLedger, type SolanaTx } from './ledger.ts'
import type { ProgramAccount } from './program-accounts.ts'
import { keyOf, positionNft, usdc } from './tokens.ts'
import { whirlpoolAccounts } from './whirlpool.ts'

const day = 86_400
const sol = 10n ** 9n
/** Gives the provider what it deposits, and keeps it. Its balances are no other actor's. */
const market = keyOf('liquidity market')
/** When the provider deposits, counted from the market's anchor. */
const opened = -20 * day

/** What the position takes at the pool's price. */
const ofPosition = { lamports: 231_408_753_178n, usdc: 40_826_170_668n }

/** The provider's transactions. */
export function planLiquidity({ anchor }: { anchor: number }): SolanaTx[] {
  const ledger = createLedger(new Set([provider]))
  const move = (tx: Changes, to: { from: string; to: string }, of: { lamports: bigint; usdc: bigint }) => {
    tx.lamports(to.from, -of.lamports)
    tx.lamports(to.to, of.lamports)
    tx.tokens(to.from, usdc, -of.usdc)
    tx.tokens(to.to, usdc, of.usdc)
  }
  ledger.transact({ at: anchor - 30 * day, payer: market }, (tx) =>
    move(tx, { from: market, to: provider }, { lamports: 300n * sol, usdc: 50_000_000_000n }),
  )
  ledger.transact({ at: anchor + opened, payer: provider }, (tx) => {
    move(tx, { from: provider, to: market }, ofPosition)
    tx.tokens(provider, positionNft, 1n)
  })
  return ledger.txs
}

/** The accounts whose data programs of pools keep, at a slot. `slotOf`: by time. */
export const liquidityAccountsAt = (of: {
  slot: number
  anchor: number
  slotOf: (at: number) => number
}): readonly ProgramAccount[] => (of.slotOf(of.anchor + opened) <= of.slot ? whirlpoolAccounts : [])
