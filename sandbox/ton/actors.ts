import { createHash } from 'node:crypto'
import { base64urlnopad } from '@scure/base'

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

/** CRC-16 of XMODEM, by the definition: the rest of a division of polynomials. */
function crc16(data: Uint8Array): Uint8Array {
  let rest = 0n
  for (const byte of [...data, 0, 0]) rest = (rest << 8n) | BigInt(byte)
  for (let bit = BigInt(8 * data.length + 15); bit >= 16n; bit--)
    if ((rest >> bit) & 1n) rest ^= 0x11021n << (bit - 16n)
  return Uint8Array.of(Number(rest >> 8n), Number(rest & 0xffn))
}

/** The address that people read, of a raw one. Wallets and contracts differ by a flag. */
export function friendly(raw: string, { isWallet = false } = {}): string {
  const body = Uint8Array.of(isWallet ? 0x51 : 0x11, 0, ...Buffer.from(raw.slice(2), 'hex'))
  return base64urlnopad.encode(Uint8Array.of(...body, ...crc16(body)))
}

/** The raw address of a friendly one. */
export const rawOf = (address: string): string =>
  `0:${Buffer.from(base64urlnopad.decode(address)).subarray(2, 34).toString('hex').toUpperCase()}`

/** The raw address of a name, without a known key. */
const accountOf = (name: string): string => `0:${sha256(`sandbox ton ${name}`).toString('hex').toUpperCase()}`

/** Of a transaction or message, as TON Center writes it. */
export const hashOf = (text: string): string => sha256(text).toString('base64')

/** The tracked wallets. `shown`: as an app shows it; `address`: as it is stored. */
export const tonWallets: {
  account: string
  address: string
  shown: string
  label: string
  weight: number
}[] = (
  [
    ['trader', 'Trader', 4],
    ['saver', 'Saver', 2],
  ] as const
).map(([name, label, weight]) => {
  const account = accountOf(name)
  return { account, address: friendly(account), shown: friendly(account, { isWallet: true }), label, weight }
})

export const exchange = accountOf('exchange')
export const pool = accountOf('pool')
export const spammer = accountOf('spammer')
export const outsiders: string[] = Array.from({ length: 12 }, (_, i) => accountOf(`outsider ${i}`))
/** The contract that holds a jetton for an owner. */
export const jettonWalletOf = (owner: string, master: string): string => accountOf(`${owner} of ${master}`)

export type Jetton = {
  /** Raw. */
  master: string
  address: string
  symbol: string
  name: string
  decimals: number
  /** Whether the master names a page for its texts, so that only the indexer knows them. */
  isOffChain: boolean
  /** Coin id in the simulated market; null: unlisted. */
  coinId: string | null
}

/** USDT on TON, at its real address. */
const usdtAddress = 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs'
export const usdt: Jetton = {
  master: rawOf(usdtAddress),
  address: usdtAddress,
  symbol: 'USD₮',
  name: 'Tether USD',
  decimals: 6,
  isOffChain: true,
  coinId: 'tether',
}
export const voucher: Jetton = {
  master: accountOf('voucher'),
  address: friendly(accountOf('voucher')),
  symbol: 'VOUCHER',
  name: 'Claim at tonvoucher.example',
  decimals: 9,
  isOffChain: false,
  coinId: null,
}
export const jettons: Jetton[] = [usdt, voucher]
