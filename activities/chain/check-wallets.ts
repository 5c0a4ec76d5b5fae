import type pg from 'pg'
import { noteChecks, walletsToCheck } from '../../db/chain/account-checks.ts'
import type { WalletToCheck } from '../../db/chain/account-checks.ts'
import { FORMAT_VERSION } from '../../db/chain/stored-transaction.ts'
import { transact } from '../../db/transact.ts'
import { SourceRejected } from '../errors.ts'
import type { WalletSource } from './wallet-source.ts'

const WALLETS_AT_ONCE = 100

export interface CheckInput {
  networkId: string
  /** wallets with an older last sync or check are due */
  olderThanSeconds: number
  /** accounts that one run checks at most; a wallet is not divided */
  accounts: number
}

export interface CheckResult {
  accounts: number
  /** wallets that changed since their last sync, or that were never checked */
  changed: { address: string; networkId: string }[]
}

/**
 * Compares the balances of the accounts of synced wallets with those at the last check. Wallets where nothing
 * changed since their last sync count as synced; the others are returned. Commits as it goes, and a wallet that
 * was found changed stays due, so an attempt that takes over loses nothing.
 */
export async function checkWallets(
  deps: { pool: pg.Pool; source: WalletSource; onProgress: () => void },
  input: CheckInput,
): Promise<CheckResult> {
  const { pool, source, onProgress } = deps
  const { networkId } = input
  const { readStates, listAccounts } = source
  if (!readStates || !listAccounts)
    throw new SourceRejected(source.name, 'it does not tell states of accounts')
  const result: CheckResult = { accounts: 0, changed: [] }
  const page = { networkId, olderThanSeconds: input.olderThanSeconds, formatVersion: FORMAT_VERSION }
  for (let after = '0'; result.accounts < input.accounts;) {
    const wallets = await walletsToCheck(pool, { ...page, after, limit: WALLETS_AT_ONCE })
    if (wallets.length === 0) break
    after = wallets.at(-1)!.walletId
    const checkedAt = wallets[0]!.readAt
    const listed = new Map<string, readonly string[]>()
    for (const { address, isListed } of wallets)
      if (!isListed) {
        listed.set(address, await listAccounts(address))
        onProgress()
      }
    const accounts = wallets.flatMap((wallet) => wallet.accounts.map(({ account }) => account))
    const { block, states } = await readStates(accounts)
    onProgress()
    const seen = new Map(accounts.map((account, i) => [account, states[i]!]))
    const differing = wallets.flatMap(({ walletId, accounts: known }) =>
      known
        .filter((one) => one.seen !== seen.get(one.account))
        .map(({ account }) => ({ walletId, account, seen: seen.get(account)!, seenBlock: block })),
    )
    const quiet = wallets.filter((wallet) => isQuiet(wallet, { seen, listed: listed.get(wallet.address) }))
    const listedIds = quiet.filter(({ address }) => listed.has(address)).map(({ walletId }) => walletId)
    const quietIds = quiet.map(({ walletId }) => walletId)
    await transact(pool, ({ client }) =>
      noteChecks(client, { networkId, checkedAt, quietIds, listedIds, changed: differing }),
    )
    result.accounts += accounts.length
    const isUnchanged = new Set(quietIds)
    for (const { walletId, address } of wallets)
      if (!isUnchanged.has(walletId)) result.changed.push({ address, networkId })
  }
  return result
}

/** `listed`: its token accounts; undefined: not asked for */
function isQuiet(
  { cursor, accounts }: WalletToCheck,
  { seen, listed = [] }: { seen: ReadonlyMap<string, string>; listed: readonly string[] | undefined },
): boolean {
  const known = new Set(accounts.map(({ account }) => account))
  return (
    listed.every((account) => known.has(account)) &&
    accounts.every((one) => one.seen === seen.get(one.account) && one.seenBlock <= cursor)
  )
}
