import type pg from 'pg'
import type { BalanceToWrite } from '../../db/chain/balances.ts'
import { writeBalances } from '../../db/chain/balances.ts'
import { keepFirstBalances } from '../../db/chain/syncs.ts'
import { insertTokens, listedContracts, listedTokens, unknownTokens } from '../../db/chain/tokens.ts'
import { transact } from '../../db/transact.ts'
import { mergeCoins } from './merge-coins.ts'
import { loadContext } from './wallet-context.ts'
import type { WalletSource } from './wallet-source.ts'

/** Contracts to ask when the source cannot list what a wallet holds: with the native balance one request. */
const CONTRACTS = 99

/**
 * Reads what a wallet holds before its history is read, and stores it until the first sync is complete: the
 * native coin and tokens of listed coins. Other tokens need the spam check, which needs the history.
 */
export async function readFirstBalances(
  deps: { pool: pg.Pool; source: WalletSource; now: () => Date },
  input: { walletId: string; address: string; networkId: string; blockchain: string },
): Promise<{ balances: number }> {
  const { pool, source } = deps
  const { walletId, address, networkId, blockchain } = input
  const contracts = await listedContracts(pool, { blockchain, limit: CONTRACTS })
  const held = await source.readHoldings({ address, contracts })
  if (held === null) return { balances: 0 }
  const raws = new Map(held.tokens.filter(({ raw }) => raw !== 0n).map((one) => [one.address, one.raw]))
  const tokens = await listedTokens(pool, { networkId, blockchain, addresses: [...raws.keys()] })
  const unknown = await unknownTokens(pool, { networkId, addresses: tokens })
  const answers = unknown.length === 0 ? [] : await source.readTokens(unknown)
  return transact(pool, async ({ client }) => {
    const fetchedAt = deps.now()
    const origin = { networkId, source: source.name, fetchedAt }
    if (answers.length > 0) await insertTokens(client, { ...origin, blockchain, tokens: answers })
    if (!(await keepFirstBalances(client, { walletId, networkId }))) return { balances: 0 }
    const { assetOf } = await loadContext(client, { networkId, tokens })
    const of = (token: string | null, raw: bigint): BalanceToWrite => {
      const { coinId, decimals } = assetOf(token)
      return { coinId, token, raw, decimals }
    }
    const balances = mergeCoins([
      of(null, held.native),
      ...tokens.map((token) => of(token, raws.get(token)!)),
    ]).filter(({ raw }) => raw !== 0n)
    await writeBalances(client, {
      ...origin,
      block: held.block,
      wallets: [{ walletId, balances, isWhole: true }],
    })
    return { balances: balances.length }
  })
}
