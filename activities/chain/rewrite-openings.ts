import type pg from 'pg'
import { deleteOpeningRows, heldTokens } from '../../db/chain/balances.ts'
import { writeWalletTransactions } from '../../db/chain/write-wallet.ts'
import { loadContext } from './load-context.ts'
import { openingRow } from './opening-row.ts'

/** Writes the transactions of openings, which no raw row tells of, in the form of now: from their movements. */
export async function rewriteOpenings(
  client: pg.ClientBase,
  input: { walletId: string; networkId: string; addresses: readonly string[]; now: Date },
): Promise<void> {
  const { networkId, addresses } = input
  const openings = await deleteOpeningRows(client, input)
  if (openings.length === 0) return
  const held = await heldTokens(client, { networkId, addresses })
  const tokens = held.map(({ address }) => address)
  const context = await loadContext(client, { networkId, addresses, tokens })
  const native = context.assetOf(null).coinId
  // As balances are merged: the native asset first, else the first contract of the coin.
  const tokenOf = (coinId: string) =>
    coinId === native ? null : (held.find((token) => token.coin_id === coinId)?.address ?? null)
  const transactions = openings.map((opening) =>
    openingRow(context, { ...opening, token: tokenOf(opening.coinId) }),
  )
  await writeWalletTransactions(client, { ...input, fetchedAt: input.now, transactions })
}
