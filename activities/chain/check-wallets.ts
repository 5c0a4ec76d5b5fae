import type pg from 'pg'
import { divideSpan, dueSpan, noteChecks, walletsToCheck } from '../../db/chain/account-checks.ts'
import type { Span, WalletToCheck } from '../../db/chain/account-checks.ts'
import { transact } from '../../db/transact.ts'
import { SourceRejected } from '../errors.ts'
import type { WalletSource } from './wallet-source.ts'

const WALLETS_A_SPAN = 100

export interface CheckInput {
  networkId: string
  /** wallets with an older check are due */
  olderThanSeconds: number
  /** a run that has checked so many accounts ends */
  accounts: number
}

export interface CheckResult {
  accounts: number
  /** wallets that changed since their last sync, or that were never checked */
  changed: { address: string; networkId: string }[]
}

/**
 * Compares the balances of the accounts of synced wallets with those at the last check. Wallets where nothing
 * changed are current without a write of their own; the others are returned. Commits as it goes, and a wallet that
 * was found changed stays so until its next sync, so an attempt that takes over loses nothing.
 */
export async function checkWallets(deps: CheckDeps, input: CheckInput): Promise<CheckResult> {
  const result: CheckResult = { accounts: 0, changed: [] }
  while (result.accounts < input.accounts) {
    const span = await dueSpan(deps.pool, input)
    if (!span) break
    const { accounts, changed } = await checkSpan(deps, { networkId: input.networkId, span })
    result.accounts += accounts
    result.changed.push(...changed)
  }
  return result
}

interface CheckDeps {
  pool: pg.Pool
  source: WalletSource
  onProgress: () => void
}

/** Checks the first wallets of a span, and leaves the others to the next one. */
async function checkSpan(
  { pool, source, onProgress }: CheckDeps,
  { networkId, span }: { networkId: string; span: Span },
): Promise<CheckResult> {
  const { readStates, listAccounts } = source
  if (!readStates || !listAccounts)
    throw new SourceRejected(source.name, 'it does not tell states of accounts')
  const found = await walletsToCheck(pool, { networkId, span, limit: WALLETS_A_SPAN + 1 })
  const wallets = found.slice(0, WALLETS_A_SPAN)
  const rest = found[WALLETS_A_SPAN]
  if (rest) await divideSpan(pool, { networkId, span, before: rest.walletId })
  const listed = new Map<string, readonly string[]>()
  for (const { address, isListed } of wallets)
    if (!isListed) {
      listed.set(address, await listAccounts(address))
      onProgress()
    }
  const accounts = wallets.flatMap((wallet) => wallet.accounts.map(({ account }) => account))
  const { block, states } = accounts.length > 0 ? await readStates(accounts) : NOTHING
  onProgress()
  const seen = new Map(accounts.map((account, i) => [account, states[i]!]))
  const noted = (walletId: string, account: string, seenBlock = block) => ({
    walletId,
    account,
    seen: seen.get(account)!,
    seenBlock,
  })
  const differing = wallets.flatMap(({ walletId, address, cursor, accounts: known }) => {
    const others = known.filter((one) => one.seen !== seen.get(one.account))
    if (others.length > 0) return others.map(({ account }) => noted(walletId, account))
    // Its next sync finds the account that is not known.
    return hasOnly(known, listed.get(address)) ? [] : [noted(walletId, address, Math.max(block, cursor + 1))]
  })
  const isQuiet = (wallet: WalletToCheck) =>
    hasOnly(wallet.accounts, listed.get(wallet.address)) &&
    wallet.accounts.every((one) => one.seen === seen.get(one.account) && one.seenBlock <= wallet.cursor)
  const changed = wallets.filter((wallet) => !isQuiet(wallet)).map(({ address }) => ({ address, networkId }))
  const listedIds = wallets
    .filter((wallet) => listed.has(wallet.address) && isQuiet(wallet))
    .map(({ walletId }) => walletId)
  await transact(pool, ({ client }) => noteChecks(client, { networkId, span, listedIds, changed: differing }))
  return { accounts: accounts.length, changed }
}

const NOTHING = { block: 0, states: [] as string[] }

/** Whether all listed accounts are known. */
function hasOnly(known: WalletToCheck['accounts'], listed: readonly string[] = []): boolean {
  const names = new Set(known.map(({ account }) => account))
  return listed.every((account) => names.has(account))
}
