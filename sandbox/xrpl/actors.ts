import { createHash } from 'node:crypto'
import { xrplAddress } from '../../db/values/wallet-address.ts'

/** The address of a name, without a known key. */
const addressOf = (name: string): string =>
  xrplAddress(createHash('sha256').update(`sandbox xrpl ${name}`).digest().subarray(0, 20))

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').toUpperCase()

/** The tracked wallets. */
export const xrplWallets: { address: string; label: string; weight: number }[] = [
  { address: addressOf('trader'), label: 'Trader', weight: 4 },
  { address: addressOf('saver'), label: 'Saver', weight: 2 },
]

export const exchange = addressOf('exchange')
export const maker = addressOf('market maker')
export const outsiders: string[] = Array.from({ length: 20 }, (_, i) => addressOf(`outsider ${i}`))

/** RLUSD, as coin lists write it; its code does not fit into three letters. */
export const rlusd = {
  currency: '524C555344000000000000000000000000000000',
  issuer: 'rMxCKbEDwqr76QuheSUMdEGf4B9xJ8m5De',
  symbol: 'RLUSD',
}
