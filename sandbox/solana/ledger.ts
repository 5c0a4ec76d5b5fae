import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'
import { systemProgram } from './actors.ts'
import { keyOf, type SolanaToken, WRAPPED_SOL } from './tokens.ts'

/** Rent that a token account must hold, in lamports. */
export const rent = 2_039_280n
/** Starting balances of untracked accounts. */
const strangersLamports = 10n ** 15n
const strangersTokens = 10n ** 16n

export type TokenBalance = { owner: string; token: SolanaToken; amount: bigint }
type Account = { lamports: bigint; token: TokenBalance | null }
export type AccountChange = { key: string; before: Account; after: Account }
export type SolanaTx = {
  signature: string
  at: number
  version: 'legacy' | 0 | 1
  fee: bigint
  failed: boolean
  /** In the order of the keys; the first pays the fee. */
  accounts: AccountChange[]
}

/** Changes of a transaction. Creates missing token accounts at the payer's cost. */
export type Changes = {
  lamports: (owner: string, change: bigint) => void
  tokens: (owner: string, token: SolanaToken, change: bigint) => void
  /** Closes the token account and returns its lamports to the owner. */
  close: (owner: string, token: SolanaToken) => void
}

export type Ledger = ReturnType<typeof createLedger>

/** Balances of all accounts while the story is planned, and the transactions so far. */
export function createLedger(tracked: ReadonlySet<string>) {
  const state = new Map<string, Account>()
  const txs: SolanaTx[] = []

  const tokenAccount = (owner: string, token: SolanaToken): string => keyOf(`account ${owner} ${token.mint}`)

  function read(key: string, own?: { owner: string; token: SolanaToken }): Account {
    const known = state.get(key)
    if (known) return known
    if (own && !tracked.has(own.owner)) return { lamports: rent, token: { ...own, amount: strangersTokens } }
    return { lamports: own || tracked.has(key) ? 0n : strangersLamports, token: null }
  }

  function balanceOf(owner: string, token: SolanaToken | null): bigint {
    if (token === null) return read(owner).lamports
    return read(tokenAccount(owner, token), { owner, token }).token?.amount ?? 0n
  }

  function transact(
    what: { at: number; payer: string; version?: SolanaTx['version']; failed?: boolean; fee?: bigint },
    change: (changes: Changes) => void,
  ): void {
    const { payer, version = 'legacy', failed = false, fee = 5_000n } = what
    // Keeps transactions in order even if one act lasts longer than the pause before the next.
    const at = Math.max(what.at, (txs.at(-1)?.at ?? 0) + 1)
    const before = new Map<string, Account>()
    const touch = (key: string, own?: { owner: string; token: SolanaToken }): Account => {
      const account = read(key, own)
      if (!before.has(key)) before.set(key, structuredClone(account))
      return account
    }
    const lamports: Changes['lamports'] = (owner, by) => {
      const account = touch(owner)
      if (account.lamports + by < 0n) throw new Error(`sandbox solana: ${owner} spends too much at ${at}`)
      state.set(owner, { ...account, lamports: account.lamports + by })
    }
    const tokens: Changes['tokens'] = (owner, token, by) => {
      const key = tokenAccount(owner, token)
      let account = touch(key, { owner, token })
      if (account.token === null) {
        lamports(payer, -rent)
        // Creating an account references its owner; a transfer into it does not.
        touch(owner)
        account = { lamports: rent, token: { owner, token, amount: 0n } }
      }
      const amount = account.token!.amount + by
      if (amount < 0n) throw new Error(`sandbox solana: ${owner} spends too many tokens at ${at}`)
      const wrapped = token.mint === WRAPPED_SOL ? by : 0n
      state.set(key, { lamports: account.lamports + wrapped, token: { owner, token, amount } })
    }
    const close: Changes['close'] = (owner, token) => {
      const account = touch(tokenAccount(owner, token), { owner, token })
      lamports(owner, account.lamports)
      state.set(tokenAccount(owner, token), { lamports: 0n, token: null })
    }
    lamports(payer, -fee)
    const paid = new Map(state)
    change({ lamports, tokens, close })
    if (failed) for (const key of before.keys()) if (paid.has(key)) state.set(key, paid.get(key)!)
    touch(systemProgram)
    const accounts = [...before].map(([key, was]): AccountChange => ({
      key,
      before: was,
      after: structuredClone(failed && !paid.has(key) ? was : read(key)),
    }))
    if (failed) for (const key of before.keys()) if (!paid.has(key)) state.delete(key)
    const signature = base58.encode(createHash('sha512').update(`${at} ${payer} ${txs.length}`).digest())
    txs.push({ signature, at, version, fee, failed, accounts })
  }

  return { transact, balanceOf, txs }
}
