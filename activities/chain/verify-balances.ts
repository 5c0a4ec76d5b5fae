import type pg from 'pg'
import type { BalanceToWrite } from '../../db/chain/balances.ts'
import { ownAddresses, readAccounts, wasSynced } from '../../db/chain/sync-progress.ts'
import { heldTokens } from '../../db/chain/wallet-assets.ts'
import { lockNetwork } from '../../db/chain/write.ts'
import { transact } from '../../db/transact.ts'
import { compareBalances } from './compare-balances.ts'
import { mergeCoins } from './merge-coins.ts'
import { loadContext } from './wallet-context.ts'
import type { WalletSource } from './wallet-source.ts'

export interface VerifyInput {
  walletId: string
  address: string
  networkId: string
  /** the head that the sync reached */
  headBlock: number
}

/** Reads all balances of a wallet at one block and compares them with its movements. */
export async function verifyBalances(
  deps: { pool: pg.Pool; source: WalletSource; now: () => Date },
  input: VerifyInput,
): Promise<{ balances: number; openings: number }> {
  const { walletId, address, networkId, headBlock } = input
  const { source, pool } = deps
  const addresses = await ownAddresses(pool, { networkId, address })
  const held = await heldTokens(pool, { networkId, addresses })
  const tokens = held.map((token) => token.address)
  const accounts = await readAccounts(pool, { walletId, networkId })
  const onChain = await source.readBalances({ address, accounts, tokens, headBlock })
  return await transact(pool, async (transaction) => {
    const { client } = transaction
    await lockNetwork(client, { networkId, mode: 'write' })
    const context = await loadContext(client, { networkId, tokens })
    const { coinId, decimals } = context.assetOf(null)
    const read: BalanceToWrite[] = [{ coinId, token: null, raw: onChain.native, decimals }]
    held.forEach((token, i) => {
      const raw = onChain.tokens[i]
      // A token whose contract does not answer keeps the sum of its movements.
      if (raw !== null && raw !== undefined)
        read.push({ coinId: token.coin_id, token: token.address, raw, decimals: token.decimals })
    })
    const balances = mergeCoins(read)
    const isFirst = !(await wasSynced(client, { walletId, networkId }))
    const { openings } = await compareBalances(transaction, {
      networkId,
      block: onChain.block,
      source: source.name,
      now: deps.now(),
      context,
      wallets: [{ walletId, balances, isWhole: true, isFirst, moved: null }],
      mayOpenNative: () => true,
    })
    return { balances: balances.filter(({ raw }) => raw !== 0n).length, openings }
  })
}
