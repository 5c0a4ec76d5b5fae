import { createHash } from 'node:crypto'
import { bech32, createBase58check } from '@scure/base'
import { HDKey } from '@scure/bip32'

const sha256 = (data: Uint8Array | string): Uint8Array => createHash('sha256').update(data).digest()
const base58check = createBase58check(sha256)

const segwitAddress = (keyHash: Uint8Array): string => bech32.encode('bc', [0, ...bech32.toWords(keyHash)])

/** Hash of a name: gives addresses without a known key. */
const nameHash = (name: string): Uint8Array => sha256(name).slice(0, 20)
const segwitOf = (name: string): string => segwitAddress(nameHash(name))
const legacyOf = (name: string): string => base58check.encode(Uint8Array.of(0, ...nameHash(name)))
const scriptOf = (name: string): string => base58check.encode(Uint8Array.of(5, ...nameHash(name)))

export type BitcoinWallet = {
  /** Tracked name: an address or an extended key. */
  name: string
  label: string
  /** Share of the activity. */
  weight: number
  /** Receiving (0) or change (1) address by index; a single address returns itself. */
  addressAt: (branch: 0 | 1, index: number) => string
}

/** Account 0 of a public seed, so tests may derive its keys. */
function extended(label: string, weight: number): BitcoinWallet {
  const account = HDKey.fromMasterSeed(sha256('sandbox bitcoin')).derive("m/84'/0'/0'")
  const versions = { public: 0x04b24746, private: 0x04b2430c }
  const name = new HDKey({
    versions,
    publicKey: account.publicKey!,
    chainCode: account.chainCode!,
    depth: account.depth,
    index: account.index,
    parentFingerprint: account.parentFingerprint,
  }).publicExtendedKey
  const branches = [account.deriveChild(0), account.deriveChild(1)]
  const known = new Map<string, string>()
  return {
    name,
    label,
    weight,
    addressAt: (branch, index) => {
      const path = `${branch}/${index}`
      const address = known.get(path) ?? segwitAddress(branches[branch]!.deriveChild(index).pubKeyHash!)
      known.set(path, address)
      return address
    },
  }
}

const single = (name: string, label: string, weight: number): BitcoinWallet => ({
  name,
  label,
  weight,
  addressAt: () => name,
})

/** The tracked wallets. */
export const bitcoinWallets: BitcoinWallet[] = [
  extended('Hardware wallet', 5),
  single(segwitOf('sandbox cold'), 'Cold storage', 1),
  single(legacyOf('sandbox old'), 'Old wallet', 2),
]

export const exchange = segwitOf('sandbox exchange')
export const outsiders: string[] = Array.from({ length: 30 }, (_, i) =>
  [segwitOf, legacyOf, scriptOf][i % 3]!(`outsider ${i}`),
)

export const hashOf = (text: string): string => Buffer.from(sha256(text)).toString('hex')
