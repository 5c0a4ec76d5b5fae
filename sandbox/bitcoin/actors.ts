import { createHash } from 'node:crypto'
import { HDKey } from '@scure/bip32'
import { address as addresses, type Network, networks, payments } from 'bitcoinjs-lib'
import { cashAddress } from '../../db/values/utxo-address.ts'

const sha256 = (data: Uint8Array | string): Uint8Array => createHash('sha256').update(data).digest()

/** Hash of a name: gives addresses without a known key. */
const nameHash = (name: string): Uint8Array => sha256(name).slice(0, 20)

export const hashOf = (text: string): string => Buffer.from(sha256(text)).toString('hex')

export type BitcoinWallet = {
  /** Tracked name: an address or an extended key. */
  name: string
  label: string
  /** Share of the activity. */
  weight: number
  /** Receiving (0) or change (1) address by index; a single address returns itself. */
  addressAt: (branch: 0 | 1, index: number) => string
}

/** `cash`: prefix of its addresses in CashAddr. */
export type CoinNetwork = Network & { cash?: string }

/** Bitcoin, or a network that descends from it. */
export interface UtxoCoin {
  /** As in the market. */
  id: string
  name: string
  symbol: string
  network: CoinNetwork
  hasSegwit: boolean
  /** The tracked wallets. */
  wallets: BitcoinWallet[]
  exchange: string
  outsiders: string[]
}

type Facts = Pick<UtxoCoin, 'id' | 'name' | 'symbol' | 'network' | 'hasSegwit'> & {
  /** Account of the extended key, and its version bytes. */
  path: string
  keyVersion: number
}

function createCoin({ path, keyVersion, ...facts }: Facts): UtxoCoin {
  const { id, network, hasSegwit } = facts
  const spelled = (address: string): string => {
    const { cash } = network
    if (cash === undefined) return address
    const { hash, version } = addresses.fromBase58Check(address)
    return cashAddress(cash, { pays: version === network.pubKeyHash ? 'key' : 'script', hash })
  }
  const legacy = (hash: Uint8Array): string => spelled(payments.p2pkh({ hash, network }).address!)
  const common = (hash: Uint8Array): string =>
    hasSegwit ? payments.p2wpkh({ hash, network }).address! : legacy(hash)
  const script = (hash: Uint8Array): string => spelled(payments.p2sh({ hash, network }).address!)

  /** Of a public seed, so tests may derive its keys. */
  function extended(label: string, weight: number): BitcoinWallet {
    const account = HDKey.fromMasterSeed(sha256(`sandbox ${id}`)).derive(path)
    const name = new HDKey({
      versions: { public: keyVersion, private: 0 },
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
        const place = `${branch}/${index}`
        const address = known.get(place) ?? common(branches[branch]!.deriveChild(index).pubKeyHash!)
        known.set(place, address)
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

  return {
    ...facts,
    wallets: [
      extended('Hardware wallet', 5),
      single(common(nameHash('sandbox cold')), 'Cold storage', 1),
      single(legacy(nameHash('sandbox old')), 'Old wallet', 2),
    ],
    exchange: common(nameHash('sandbox exchange')),
    outsiders: Array.from({ length: 30 }, (_, i) =>
      [common, legacy, script][i % 3]!(nameHash(`outsider ${i}`)),
    ),
  }
}

export const BITCOIN = createCoin({
  id: 'bitcoin',
  name: 'Bitcoin',
  symbol: 'BTC',
  network: networks.bitcoin,
  hasSegwit: true,
  path: "m/84'/0'/0'",
  keyVersion: 0x04b24746,
})

const NO_PRIVATE_VERSION = 0

/** Those that Blockbooks serve. */
export const BLOCKBOOK_COINS = [
  createCoin({
    id: 'litecoin',
    name: 'Litecoin',
    symbol: 'LTC',
    network: {
      messagePrefix: '\x19Litecoin Signed Message:\n',
      bech32: 'ltc',
      bip32: { public: 0x019da462, private: NO_PRIVATE_VERSION },
      pubKeyHash: 0x30,
      scriptHash: 0x32,
      wif: 0xb0,
    },
    hasSegwit: true,
    path: "m/84'/2'/0'",
    keyVersion: 0x04b24746,
  }),
  createCoin({
    id: 'dogecoin',
    name: 'Dogecoin',
    symbol: 'DOGE',
    network: {
      messagePrefix: '\x19Dogecoin Signed Message:\n',
      bech32: '',
      bip32: { public: 0x02facafd, private: NO_PRIVATE_VERSION },
      pubKeyHash: 0x1e,
      scriptHash: 0x16,
      wif: 0x9e,
    },
    hasSegwit: false,
    path: "m/44'/3'/0'",
    keyVersion: 0x02facafd,
  }),
  createCoin({
    id: 'bitcoin-cash',
    name: 'Bcash',
    symbol: 'BCH',
    network: { ...networks.bitcoin, bech32: '', cash: 'bitcoincash' },
    hasSegwit: false,
    path: "m/44'/145'/0'",
    keyVersion: 0x0488b21e,
  }),
] as const

export const { wallets: bitcoinWallets, outsiders } = BITCOIN
