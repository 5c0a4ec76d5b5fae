import { type Network, payments } from 'bitcoinjs-lib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NETWORKS } from '../../db/values/networks.ts'
import { isAddressOf, parseWalletAddress } from '../../db/values/wallet-address.ts'
import { BITCOIN, BLOCKBOOK_COINS, type UtxoCoin } from '../../sandbox/bitcoin/actors.ts'

const COINS: readonly UtxoCoin[] = [BITCOIN, ...BLOCKBOOK_COINS]
const networkOf = ({ id }: UtxoCoin) => NETWORKS.find((one) => one.id === id)!

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })

/** Addresses as bitcoinjs-lib writes them: those of base58, and of segwit where a network has it. */
const addressIn = (network: Network, hasSegwit: boolean) =>
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

  test('each address of bitcoinjs-lib is one of this network and of no other', () => {
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
])('%s is one of its networks', (_what, address, networks) => {
  expect(NETWORKS.filter((network) => isAddressOf(network, address)).map(({ id }) => id)).toEqual(networks)
})
