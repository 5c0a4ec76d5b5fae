import { getCoderByCoinName } from '@ensdomains/address-encoder'
import { describe, expect, test } from 'vitest'
import { NETWORKS } from '../../db/values/networks.ts'
import { isAddressOf, parseWalletAddress, WALLET_PATTERN } from '../../db/values/wallet-address.ts'

describe('an address', () => {
  /** The test vectors of CIP-19: each type with the same credentials. */
  const vectors = [
    'addr1qx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer3n0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgse35a3x',
    'addr1z8phkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gten0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgs9yc0hh',
    'addr1yx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzerkr0vd4msrxnuwnccdxlhdjar77j6lg0wypcc9uar5d2shs2z78ve',
    'addr1x8phkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gt7r0vd4msrxnuwnccdxlhdjar77j6lg0wypcc9uar5d2shskhj42g',
    'addr1gx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer5pnz75xxcrzqf96k',
    'addr128phkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gtupnz75xxcrtw79hu',
    'addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8',
    'addr1w8phkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gtcyjy7wx',
  ]
  const stakes = [
    'stake1uyehkck0lajq8gr28t9uxnuvgcqrc6070x3k9r8048z8y5gh6ffgw',
    'stake178phkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gtcccycj5',
  ]
  /** Of the Byron era: as Yoroi and as Daedalus made them. */
  const byron = [
    'Ae2tdPwUPEZFRbyhz3cpfC2CumGzNkFBN2L42rcUc2yjQpEkxDbkPodpMAi',
    'DdzFFzCqrhsiMfvZtvTgqbR5jT4UAMEwJCT2bBvWSTiN736tSSxhnhHbmJYUhTiuZGgojfi3jizinGRVUdBF9QHgWHi11nEVpwK36gC9',
  ]

  test.each([...vectors, ...stakes, ...byron])('%s is one of Cardano alone', (address) => {
    expect(parseWalletAddress(address)).toEqual({ kind: 'cardano', address })
    expect(NETWORKS.filter((one) => isAddressOf(one, address)).map(({ id }) => id)).toEqual(['cardano'])
    expect(address).toMatch(new RegExp(`^${WALLET_PATTERN}$`))
    if (!byron.includes(address))
      expect(parseWalletAddress(address.toUpperCase())).toEqual({ kind: 'cardano', address })
  })

  test('of a payment is one for another library too, and a changed letter makes it none for both', () => {
    const { decode } = getCoderByCoinName('ada')
    for (const address of [...vectors, ...byron]) {
      expect(() => decode(address), address).not.toThrow()
      for (const at of [12, 30, address.length - 3]) {
        const changed = address.slice(0, at) + (address[at] === 'q' ? 'p' : 'q') + address.slice(at + 1)
        expect(() => decode(changed), changed).toThrow()
        expect(parseWalletAddress(changed), changed).toBeNull()
      }
    }
  })

  test('is refused for a test network, in part, in two cases or of another kind', () => {
    for (const text of [
      'addr_test1qz2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer3n0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgs68faae',
      'stake_test1uqehkck0lajq8gr28t9uxnuvgcqrc6070x3k9r8048z8y5gssrtvn',
      // Of the Byron era, on test networks.
      '37btjrVyb4KEB2STADSsj3MYSAdj52X5FrFWpw2r7Wmj2GDzXjFRsHWuZqrw7zSkwopv8Ci3VWeg6bisU9dgJxW5hb2MZYeduNKbQJrqz3zVBsu9nT',
      '2cWKMJemoBakkUSWX3DZdx8eXGeqjN6mkgVUCND1RNB736qWS5v1CGgQGNNTFUZSXaVLj',
      vectors[0]!.slice(0, -1),
      vectors[0]!.replace('x', 'X'),
      byron[0]!.toLowerCase(),
      // A pool.
      'pool1z5uqdk7dzdxaae5633fqfcu2eqzy3a3rgtuvy087fdld7yws0xt',
    ])
      expect(parseWalletAddress(text), text).toBeNull()
  })
})
