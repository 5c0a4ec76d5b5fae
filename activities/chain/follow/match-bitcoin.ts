import type { BitcoinBlock } from '../sources/bitcoin-block.ts'
import type { BitcoinWallets } from './bitcoin-wallets.ts'

/** Address by output, as `outputKey` names it. */
export type Outputs = Map<string, string>

export const outputKey = (txid: string, position: number): string => `${txid}:${position}`

/**
 * The outputs of a block that may pay wallets. An extended key whose address is used is matched for further
 * ones, in the same block too.
 */
export function paidOutputs(wallets: BitcoinWallets, block: BitcoinBlock): Outputs {
  const paid: Outputs = new Map()
  for (let isWider = true; isWider;) {
    isWider = false
    for (const { txid, scripts } of block.transactions)
      scripts.forEach((script, position) => {
        const address = wallets.addressOf(script)
        if (address === null) return
        paid.set(outputKey(txid, position), address)
        if (wallets.use(address)) isWider = true
      })
  }
  return paid
}

export interface BitcoinMatch {
  /** addresses that may be those of wallets */
  addresses: Set<string>
  /** transactions that name one of them, in the order of the block */
  txids: string[]
}

/** The transactions of a block that pay to one of the outputs, or spend one. */
export function matchTransactions(block: BitcoinBlock, own: Outputs): BitcoinMatch {
  const addresses = new Set<string>()
  const txids: string[] = []
  for (const { txid, spends, scripts } of block.transactions) {
    const named = [
      ...spends.map((spent) => own.get(outputKey(spent.txid, spent.position))),
      ...scripts.map((_, position) => own.get(outputKey(txid, position))),
    ].filter((address) => address !== undefined)
    for (const address of named) addresses.add(address)
    if (named.length > 0) txids.push(txid)
  }
  return { addresses, txids }
}
