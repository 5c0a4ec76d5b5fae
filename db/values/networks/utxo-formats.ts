/** What the addresses of an extended public key pay to: BIP 44, BIP 49 and BIP 84. */
export type KeyScript = 'key hash' | 'nested segwit' | 'segwit'

/** How Bitcoin, or a network that descends from it, writes addresses and extended public keys. */
export interface UtxoFormats {
  /** version bytes of base58 addresses that pay to a key, and to a script */
  keyHash: number
  scriptHash: number
  /** how segwit addresses begin. null: the network has none */
  segwit: string | null
  /** prefix of addresses in CashAddr, which are then the only form. null: the network has none */
  cash: string | null
  /** the version bytes of extended public keys by their first four letters (SLIP-132) */
  keys: Readonly<Record<string, { version: number; script: KeyScript }>>
}

export const BITCOIN_FORMATS: UtxoFormats = {
  keyHash: 0x00,
  scriptHash: 0x05,
  segwit: 'bc',
  cash: null,
  keys: {
    xpub: { version: 0x0488b21e, script: 'key hash' },
    ypub: { version: 0x049d7cb2, script: 'nested segwit' },
    zpub: { version: 0x04b24746, script: 'segwit' },
  },
}
