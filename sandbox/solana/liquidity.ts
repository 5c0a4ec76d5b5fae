import { provider } from './actors.ts'
import { kaminoAccounts } from './kamino.ts'
import { type Changes, createLedger, type SolanaTx } from './ledger.ts'
import type { ProgramAccount } from './program-accounts.ts'
import { raydiumAccounts } from './raydium.ts'
import { keyOf, raydiumNft, type SolanaToken, usdc, whirlpoolNft } from './tokens.ts'
import { whirlpoolAccounts } from './whirlpool.ts'

const day = 86_400
const sol = 10n ** 9n
/** Gives the provider what it deposits, and keeps it. Its balances are no other actor's. */
const market = keyOf('liquidity market')

interface Deposit {
  /** counted from the market's anchor, in seconds */
  at: number
  lamports: bigint
  /** below zero: borrowed */
  usdc: bigint
  /** what the provider gets for it */
  nft: SolanaToken | null
  /** what programs keep from then on */
  accounts: readonly ProgramAccount[]
}

/** What the positions take at the prices of their pools. */
const deposits: Deposit[] = [
  {
    at: -20 * day,
    lamports: 231_408_753_178n,
    usdc: 40_826_170_668n,
    nft: whirlpoolNft,
    accounts: whirlpoolAccounts,
  },
  {
    at: -19 * day,
    lamports: 23_186_240_338n,
    usdc: 4_046_683_517n,
    nft: raydiumNft,
    accounts: raydiumAccounts,
  },
  { at: -18 * day, lamports: 20n * sol, usdc: -800_000_000n, nft: null, accounts: kaminoAccounts },
]

/** The provider's transactions. */
export function planLiquidity({ anchor }: { anchor: number }): SolanaTx[] {
  const ledger = createLedger(new Set([provider]))
  const pay = (tx: Changes, from: string, to: string, of: Pick<Deposit, 'lamports' | 'usdc'>) => {
    tx.lamports(from, -of.lamports)
    tx.lamports(to, of.lamports)
    tx.tokens(from, usdc, -of.usdc)
    tx.tokens(to, usdc, of.usdc)
  }
  ledger.transact({ at: anchor - 30 * day, payer: market }, (tx) =>
    pay(tx, market, provider, { lamports: 300n * sol, usdc: 50_000_000_000n }),
  )
  for (const { at, nft, ...paid } of deposits)
    ledger.transact({ at: anchor + at, payer: provider }, (tx) => {
      pay(tx, provider, market, paid)
      if (nft) tx.tokens(provider, nft, 1n)
    })
  return ledger.txs
}

/** The accounts whose data programs of pools keep, at a slot. `slotOf`: by time. */
export const liquidityAccountsAt = (of: {
  slot: number
  anchor: number
  slotOf: (at: number) => number
}): ProgramAccount[] =>
  deposits.flatMap(({ at, accounts }) => (of.slotOf(of.anchor + at) <= of.slot ? accounts : []))
