import { bech32 } from '@scure/base'
import { HDKey } from '@scure/bip32'
import { ripemd160, sha256 } from 'viem/utils'
import { base58check, extendedKeyType } from '../../../db/values/wallet-address.ts'

/** Unused addresses in a row after which a branch ends (BIP 44). */
const GAP_LIMIT = 20

/** Branches of an account: receiving addresses and change addresses. */
const BRANCHES = 2

/** The private versions are unused; the library requires pairs. */
const VERSIONS = {
  xpub: { public: 0x0488b21e, private: 0x0488ade4 },
  ypub: { public: 0x049d7cb2, private: 0x049d7878 },
  zpub: { public: 0x04b24746, private: 0x04b2430c },
}

export interface BitcoinAddresses {
  /** 0 for a single address, which has one branch with one address */
  gapLimit: number
  branches: number
  /** null past the end of a branch */
  addressAt: (branch: number, index: number) => string | null
}

/**
 * The addresses of a wallet: one, or those of an extended public key. They are derived locally; the key is
 * never sent. xpub: pay to key hash (BIP 44), ypub: segwit inside a script hash (BIP 49), zpub: segwit (BIP
 * 84).
 */
export function bitcoinAddresses(wallet: string): BitcoinAddresses {
  const type = extendedKeyType(wallet)
  if (type === null) {
    return { gapLimit: 0, branches: 1, addressAt: (_branch, index) => (index === 0 ? wallet : null) }
  }
  const account = HDKey.fromExtendedKey(wallet, VERSIONS[type])
  const branchKeys = Array.from({ length: BRANCHES }, (_, branch) => account.deriveChild(branch))
  const known = new Map<string, string>()
  const encode = { xpub: payToKeyHash, ypub: segwitInScriptHash, zpub: segwit }[type]
  return {
    gapLimit: GAP_LIMIT,
    branches: BRANCHES,
    addressAt: (branch, index) => {
      const key = `${branch}/${index}`
      const address = known.get(key) ?? encode(branchKeys[branch]!.deriveChild(index).pubKeyHash!)
      known.set(key, address)
      return address
    },
  }
}

const payToKeyHash = (keyHash: Uint8Array) => base58check.encode(Uint8Array.of(0x00, ...keyHash))

const segwit = (keyHash: Uint8Array) => bech32.encode('bc', [0, ...bech32.toWords(keyHash)])

function segwitInScriptHash(keyHash: Uint8Array): string {
  const script = Uint8Array.of(0x00, keyHash.length, ...keyHash)
  return base58check.encode(Uint8Array.of(0x05, ...ripemd160(sha256(script, 'bytes'), 'bytes')))
}
