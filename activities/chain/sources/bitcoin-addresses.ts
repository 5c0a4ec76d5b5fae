import { bech32 } from '@scure/base'
import { HDKey } from '@scure/bip32'
import { ripemd160, sha256 } from 'viem/utils'
import { BITCOIN_FORMATS } from '../../../db/values/networks/network.ts'
import type { KeyScript, UtxoFormats } from '../../../db/values/networks/network.ts'
import { cashAddress, base58check, extendedKey } from '../../../db/values/utxo-address.ts'

/** Unused addresses in a row after which a branch ends (BIP 44). */
const GAP_LIMIT = 20

/** Branches of an account: receiving addresses and change addresses. */
const BRANCHES = 2

/** No private key is ever read. The library requires the versions in pairs. */
const NO_PRIVATE_VERSION = 0

export interface BitcoinAddresses {
  /** 0 for a single address, which has one branch with one address */
  gapLimit: number
  branches: number
  /** null past the end of a branch */
  addressAt: (branch: number, index: number) => string | null
}

/**
 * The addresses of a wallet of Bitcoin, or of a network that descends from it: one, or those of an extended public key.
 * They are derived locally; the key is never sent.
 */
export function bitcoinAddresses(wallet: string, formats: UtxoFormats = BITCOIN_FORMATS): BitcoinAddresses {
  const key = extendedKey(formats, wallet)
  if (key === null) {
    return { gapLimit: 0, branches: 1, addressAt: (_branch, index) => (index === 0 ? wallet : null) }
  }
  const account = HDKey.fromExtendedKey(wallet, { public: key.version, private: NO_PRIVATE_VERSION })
  const branchKeys = Array.from({ length: BRANCHES }, (_, branch) => account.deriveChild(branch))
  const known = new Map<string, string>()
  const encode = ENCODERS[key.script]
  return {
    gapLimit: GAP_LIMIT,
    branches: BRANCHES,
    addressAt: (branch, index) => {
      const path = `${branch}/${index}`
      const address = known.get(path) ?? encode(formats, branchKeys[branch]!.deriveChild(index).pubKeyHash!)
      known.set(path, address)
      return address
    },
  }
}

const ENCODERS: Record<KeyScript, (formats: UtxoFormats, keyHash: Uint8Array) => string> = {
  'key hash': ({ keyHash: version, cash }, keyHash) =>
    cash === null
      ? base58check.encode(Uint8Array.of(version, ...keyHash))
      : cashAddress(cash, { pays: 'key', hash: keyHash }),
  'nested segwit': ({ scriptHash: version }, keyHash) => {
    const script = Uint8Array.of(0x00, keyHash.length, ...keyHash)
    return base58check.encode(Uint8Array.of(version, ...ripemd160(sha256(script, 'bytes'), 'bytes')))
  },
  segwit: ({ segwit }, keyHash) => bech32.encode(segwit!, [0, ...bech32.toWords(keyHash)]),
}
