import { type AccountEvent, type Fill, hexOf, statusOf, type Transfer, unitText } from './account.ts'

// Rows of an account in Binance's format.

export function tradeRow(fill: Fill, id: number) {
  return {
    symbol: fill.base + fill.quote,
    id,
    orderId: 5_000_000 + fill.id,
    orderListId: -1,
    price: unitText(fill.price),
    qty: unitText(fill.amount),
    quoteQty: unitText(fill.cost),
    commission: unitText(fill.fee.amount),
    commissionAsset: fill.fee.asset,
    time: fill.at,
    isBuyer: fill.side === 'buy',
    isMaker: fill.maker,
    isBestMatch: true,
  }
}

const NETWORKS: Record<string, string> = { BTC: 'BTC' }

/** A deposit or a withdrawal; their fields differ. */
export function transferRow(transfer: Transfer, nowMs: number) {
  const { kind, id, asset, amount, at } = transfer
  const status = statusOf(transfer, nowMs)
  const common = {
    id: hexOf({ salt: kind, id, length: 32 }),
    coin: asset,
    network: NETWORKS[asset] ?? 'ETH',
    transferType: 0,
    address: `0x${hexOf({ salt: 'address', id: id % 3, length: 40 })}`,
    txId: `0x${hexOf({ salt: 'tx', id, length: 64 })}`,
  }
  if (kind === 'deposit')
    return {
      ...common,
      amount: plain(amount),
      status: status === 'ok' ? 1 : 0,
      addressTag: '',
      insertTime: at,
      confirmTimes: '12/12',
      unlockConfirm: 12,
      walletType: 0,
    }
  return {
    ...common,
    amount: plain(amount),
    transactionFee: plain(transfer.fee),
    status: { pending: 4, ok: 6, failed: 5 }[status],
    confirmNo: 3,
    walletType: 0,
    applyTime: new Date(at).toISOString().slice(0, 19).replace('T', ' '),
  }
}

const plain = (amount: bigint): string => unitText(amount).replace(/\.?0+$/, '')

/** A small balance converted to BNB. */
export function dribbletRow({ id, at, asset, amount, received, charge }: AccountEvent & { kind: 'dust' }) {
  const transId = 70_000_000_000 + id
  return {
    operateTime: at,
    totalTransferedAmount: unitText(received),
    totalServiceChargeAmount: unitText(charge),
    transId,
    userAssetDribbletDetails: [
      {
        transId,
        serviceChargeAmount: unitText(charge),
        amount: unitText(amount),
        operateTime: at,
        transferedAmount: unitText(received),
        fromAsset: asset,
      },
    ],
  }
}
