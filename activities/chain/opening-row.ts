import type pg from 'pg'
import { deleteOpeningRows, type StoredOpening } from '../../db/chain/openings.ts'
import { heldTokens } from '../../db/chain/wallet-assets.ts'
import { writeWalletTransactions, type WalletTransactionToWrite } from '../../db/chain/write-wallet.ts'
import { decimal, formatDecimal } from '../../db/values/decimal.ts'
import { actionOf, type NormalisedTransaction } from './normalise.ts'
import { loadContext, type NetworkContext } from './wallet-context.ts'
import { walletTransaction } from './wallet-transaction.ts'

/** Builds the transaction of an opening: one leg, no sender. `token` is null for the native asset. */
export function openingRow(
  context: NetworkContext,
  opening: StoredOpening & { token: string | null },
): WalletTransactionToWrite {
  const { walletId, origin, role, coinId, token, raw, decimals, price } = opening
  const movement = { seq: 0, role, coinId, raw, decimals, counterparty: null }
  const line = {
    action: actionOf(raw),
    token,
    coinId,
    raw,
    decimals,
    nft: null,
    counterparty: null,
    seq: 0,
  }
  const normalised: NormalisedTransaction = {
    transaction: {
      hash: origin.hash,
      blockNumber: origin.blockNumber,
      blockHash: origin.blockHash,
      atMs: origin.at.getTime(),
      index: origin.index,
      from: '',
      to: null,
      value: 0n,
      fee: 0n,
      success: true,
      selector: null,
    },
    type: 'balance',
    label: 'Balance',
    // An operator's label may have changed the stored role; it does not affect the served form.
    movements: [{ ...movement, role: 'opening' }],
    lines: [line],
    telling: [line],
    feeToken: null,
    identified: context.assetOf(token).isIdentified,
  }
  const served = walletTransaction(context, normalised, () => price && decimal(price.usd))
  const main = served.main && {
    ...served.main,
    count: formatDecimal(served.main.count),
    valueUsd: served.main.valueUsd && formatDecimal(served.main.valueUsd),
  }
  return { ...served, walletId, main, origin, movements: [{ ...movement, price }] }
}

/**
 * Rewrites the transactions of openings in the current form. They have no raw rows, so it uses their
 * movements.
 */
export async function rewriteOpenings(
  client: pg.ClientBase,
  input: { walletId: string; networkId: string; addresses: readonly string[]; now: Date },
): Promise<void> {
  const { networkId, addresses } = input
  const openings = await deleteOpeningRows(client, input)
  if (openings.length === 0) return
  const held = await heldTokens(client, { networkId, addresses })
  const tokens = held.map(({ address }) => address)
  const context = await loadContext(client, { networkId, tokens })
  const native = context.assetOf(null).coinId
  // Same choice as when balances are merged: the native asset first, else the coin's first contract.
  const tokenOf = (coinId: string) =>
    coinId === native ? null : (held.find((token) => token.coin_id === coinId)?.address ?? null)
  const transactions = openings.map((opening) =>
    openingRow(context, { ...opening, token: tokenOf(opening.coinId) }),
  )
  await writeWalletTransactions(client, { networkId, fetchedAt: input.now, transactions })
}
