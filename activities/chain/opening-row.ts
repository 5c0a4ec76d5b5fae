import type { StoredOpening } from '../../db/chain/balances.ts'
import type { WalletTransactionToWrite } from '../../db/chain/write-wallet.ts'
import { decimal, formatDecimal } from '../../db/values/decimal.ts'
import type { NormalisedTransaction } from './normalise.ts'
import type { WalletContext } from './wallet-context.ts'
import { walletTransaction } from './wallet-transaction.ts'

/** The transaction of an opening: one leg, no sender. `token` is null for the native asset. */
export function openingRow(
  context: WalletContext,
  opening: StoredOpening & { token: string | null },
): WalletTransactionToWrite {
  const { origin, role, coinId, token, raw, decimals, price } = opening
  const movement = { seq: 0, role, coinId, raw, decimals, counterparty: null }
  const line = {
    action: 'Balance',
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
    // An operator's label, which it may have, is no part of the form.
    movements: [{ ...movement, role: 'opening' }],
    lines: [line],
    identified: context.assetOf(token).isIdentified,
  }
  const served = walletTransaction(context, normalised, () => price && decimal(price.usd))
  const main = served.main && {
    ...served.main,
    count: formatDecimal(served.main.count),
    valueUsd: served.main.valueUsd && formatDecimal(served.main.valueUsd),
  }
  return { ...served, main, origin, movements: [{ ...movement, price }] }
}
