import { address as addresses, type Network, payments } from 'bitcoinjs-lib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cashAddress, parseCashAddress } from '../../db/values/utxo-address.ts'
import { NETWORKS } from '../../db/values/networks.ts'
import { isAddressOf, parseWalletAddress } from '../../db/values/wallet-address.ts'
import { BITCOIN, BLOCKBOOK_COINS, type CoinNetwork, type UtxoCoin } from '../../sandbox/bitcoin/actors.ts'

const COINS: readonly UtxoCoin[] = [BITCOIN, ...BLOCKBOOK_COINS]
const networkOf = ({ id }: UtxoCoin) => NETWORKS.find((one) => one.id === id)!

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })

/** Addresses as bitcoinjs-lib writes them: those of base58, and of segwit where a network has it. */
const addressIn = (network: CoinNetwork, hasSegwit: boolean) =>
  network.cash === undefined ? ofBitcoinjs(network, hasSegwit) : ofCash(network.cash)

/** bitcoinjs-lib does not know CashAddr: the vectors below and recorded answers do. */
const ofCash = (prefix: string) =>
  fc.oneof(
    bytes(20).map((hash) => cashAddress(prefix, { pays: 'key', hash })),
    bytes(20).map((hash) => cashAddress(prefix, { pays: 'script', hash })),
    bytes(32).map((hash) => cashAddress(prefix, { pays: 'script', hash })),
  )

const ofBitcoinjs = (network: Network, hasSegwit: boolean) =>
  fc.oneof(
    bytes(20).map((hash) => payments.p2pkh({ hash, network }).address!),
    bytes(20).map((hash) => payments.p2sh({ hash, network }).address!),
    ...(hasSegwit
      ? [
          bytes(20).map((hash) => payments.p2wpkh({ hash, network }).address!),
          bytes(32).map((hash) => payments.p2wsh({ hash, network }).address!),
        ]
      : []),
  )

describe.each(COINS)('$name', (coin) => {
  const addresses = addressIn(coin.network, coin.hasSegwit)

  test('each address is one of this network and of no other', () => {
    fc.assert(
      fc.property(addresses, (address) => {
        expect(parseWalletAddress(address)?.address).toBe(address)
        const fitting = NETWORKS.filter((network) => isAddressOf(network, address))
        expect(fitting.map(({ id }) => id)).toEqual([coin.id])
      }),
    )
  })

  test('an address with one wrong letter is none', () => {
    const letters = '023456789acdefghjklmnpqrstuvwxyz'
    fc.assert(
      fc.property(addresses, fc.nat(200), fc.constantFrom(...letters.split('')), (address, place, letter) => {
        const at = 5 + (place % (address.length - 5))
        fc.pre(address[at] !== letter)
        expect(isAddressOf(networkOf(coin), address.slice(0, at) + letter + address.slice(at + 1))).toBe(
          false,
        )
      }),
    )
  })

  test('its extended key is one of this network', () => {
    const key = coin.wallets[0]!.name
    expect(parseWalletAddress(key)?.address).toBe(key)
    expect(isAddressOf(networkOf(coin), key)).toBe(true)
  })
})

// Documents of Litecoin and Dogecoin, and of BIP 44 and 84 for the mnemonic "abandon .. about", account 0.
test.each([
  ['a Litecoin address', 'LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9', ['litecoin']],
  ['a Litecoin address of a script', 'MQMcJhpWHYVeQArcZR3sBgyPZxxRtnH441', ['litecoin']],
  ['a Litecoin address of a script in the old form', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', ['bitcoin']],
  ['a Dogecoin address', 'DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC', ['dogecoin']],
  [
    'a key of BIP 84',
    'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs',
    ['bitcoin', 'litecoin'],
  ],
  [
    'a key of BIP 44',
    'xpub6BosfCnifzxcFwrSzQiqu2DBVTshkCXacvNsWGYJVVhhawA7d4R5WSWGFNbi8Aw6ZRc1brxMyWMzG3DSSSSoekkudhUd9yLb6qx39T9nMdj',
    ['bitcoin', 'bitcoin-cash'],
  ],
])('%s is one of its networks', (_what, address, networks) => {
  expect(NETWORKS.filter((network) => isAddressOf(network, address)).map(({ id }) => id)).toEqual(networks)
})

// The specification's pairs: https://reference.cash/protocol/blockchain/encoding/cashaddr
describe('CashAddr', () => {
  test.each([
    ['1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu', 'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'],
    ['1KXrWXciRDZUpQwQmuM1DbwsKDLYAYsVLR', 'qr95sy3j9xwd2ap32xkykttr4cvcu7as4y0qverfuy'],
    ['16w1D5WRVKJuZUsSRzdLp9w3YGcgoxDXb', 'qqq3728yw0y47sqn6l2na30mcw6zm78dzqre909m2r'],
    ['3CWFddi6m4ndiGyKqzYvsFYagqDLPVMTzC', 'ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq'],
    ['3LDsS579y7sruadqu11beEJoTjdFiFCdX4', 'pr95sy3j9xwd2ap32xkykttr4cvcu7as4yc93ky28e'],
    ['31nwvkZwyPdgzjBJZXfDmSWsC4ZLKpYyUw', 'pqq3728yw0y47sqn6l2na30mcw6zm78dzq5ucqzc37'],
  ])('%s is %s', (legacy, cash) => {
    const { hash, version } = addresses.fromBase58Check(legacy)
    const found = {
      pays: version === 0 ? ('key' as const) : ('script' as const),
      hash: Uint8Array.from(hash),
    }
    expect(cashAddress('bitcoincash', found)).toBe(cash)
    for (const text of [cash, `bitcoincash:${cash}`, `BITCOINCASH:${cash.toUpperCase()}`])
      expect(parseCashAddress('bitcoincash', text)).toEqual(found)
    expect(parseWalletAddress(`bitcoincash:${cash}`)).toEqual({ kind: 'utxo', address: cash })
  })

  test.each([
    ['mixed case', 'bitcoincash:Qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'],
    ['the prefix of another chain', 'bchtest:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'],
    ['the checksum of a test network', 'qpm2qsznhks23z7629mms6s4cwef74vcwvqcw003ap'],
    ['a wrong letter', 'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6q'],
  ])('refuses %s', (_what, text) => expect(parseCashAddress('bitcoincash', text)).toBeNull())
})
