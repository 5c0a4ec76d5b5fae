import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { base58 } from '@scure/base'
import { bitcoinAddresses } from '../../activities/chain/sources/bitcoin-addresses.ts'
import { parseWalletAddress } from '../../db/values/wallet-address.ts'

// Test vectors of BIP 44, 49 and 84 for the mnemonic "abandon .. about", account 0, and of BIP 173 and 350.
const XPUB =
  'xpub6BosfCnifzxcFwrSzQiqu2DBVTshkCXacvNsWGYJVVhhawA7d4R5WSWGFNbi8Aw6ZRc1brxMyWMzG3DSSSSoekkudhUd9yLb6qx39T9nMdj'
const YPUB =
  'ypub6Ww3ibxVfGzLrAH1PNcjyAWenMTbbAosGNB6VvmSEgytSER9azLDWCxoJwW7Ke7icmizBMXrzBx9979FfaHxHcrArf3zbeJJJUZPf663zsP'
const ZPUB =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs'
const TAPROOT = 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'
const SOLANA = '4fYNw3dojWmQ4dXtSGE9epjRGy9pFSx62YypT7avPYvA'

describe('parsing wallet addresses', () => {
  test.each([
    ['0x52908400098527886E0F7030069857D2E4169EE7', 'evm', '0x52908400098527886e0f7030069857d2e4169ee7'],
    ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'bitcoin', null],
    ['3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', 'bitcoin', null],
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'bitcoin', null],
    ['BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', 'bitcoin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    ['bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3', 'bitcoin', null],
    [TAPROOT, 'bitcoin', null],
    [XPUB, 'bitcoin', null],
    [YPUB, 'bitcoin', null],
    [ZPUB, 'bitcoin', null],
    [SOLANA, 'solana', null],
    ['So11111111111111111111111111111111111111112', 'solana', null],
    ['11111111111111111111111111111111', 'solana', null],
  ])('%s is a wallet on %s', (text, kind, canonical) => {
    expect(parseWalletAddress(text)).toEqual({ kind, address: canonical ?? text })
  })

  test.each([
    ['a wrong checksum', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb'],
    ['a changed case', '1a1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
    ['mixed case', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3T4'],
    ['a wrong bech32 checksum', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5'],
    ['version 1 in bech32, not bech32m', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd'],
    ['version 0 in bech32m', 'bc1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq54v6ud'],
    ['a testnet address', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'],
    ['a testnet address in base58', 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn'],
    [
      'a private key',
      'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi',
    ],
    ['a key with a wrong letter', XPUB.replace('dj', 'dk')],
    ['31 bytes', base58.encode(new Uint8Array(31).fill(7))],
    ['33 bytes', base58.encode(new Uint8Array(33).fill(7))],
    ['a letter outside base58', `${SOLANA.slice(0, -1)}0`],
    ['an empty text', ''],
    ['a space', ` ${SOLANA}`],
    ['a line break', `${SOLANA}\n`],
    ['a Cyrillic letter', 'bс1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  ])('returns null for %s', (_why, text) => expect(parseWalletAddress(text)).toBeNull())

  test('any text is parsed or refused, and parsed addresses are canonical', () => {
    const key = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => base58.encode(bytes))
    fc.assert(
      fc.property(fc.oneof(fc.string({ maxLength: 130 }), key), (text) => {
        const found = parseWalletAddress(text)
        if (found) expect(parseWalletAddress(found.address)).toEqual(found)
      }),
    )
    fc.assert(
      fc.property(key, (text) => {
        expect(parseWalletAddress(text)).toEqual({ kind: 'solana', address: text })
      }),
    )
  })
})

describe('addresses of extended keys', () => {
  test.each([
    [XPUB, 0, 0, '1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA'],
    [XPUB, 0, 1, '1Ak8PffB2meyfYnbXZR9EGfLfFZVpzJvQP'],
    [XPUB, 1, 0, '1J3J6EvPrv8q6AC3VCjWV45Uf3nssNMRtH'],
    [YPUB, 0, 0, '37VucYSaXLCAsxYyAPfbSi9eh4iEcbShgf'],
    [ZPUB, 0, 0, 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'],
    [ZPUB, 0, 1, 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g'],
    [ZPUB, 1, 0, 'bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el'],
  ])('derives from %s the address %i/%i', (key, branch, index, address) => {
    expect(bitcoinAddresses(key).addressAt(branch, index)).toBe(address)
  })
  test('a single address has one branch with itself', () => {
    const { addressAt, branches } = bitcoinAddresses('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa')
    expect([branches, addressAt(0, 0), addressAt(0, 1)]).toEqual([
      1,
      '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
      null,
    ])
  })
})
