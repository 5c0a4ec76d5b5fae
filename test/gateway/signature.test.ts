import { secp256k1 } from '@noble/curves/secp256k1'
import fc from 'fast-check'
import { bytesToHex, hashTypedData } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { checkSignature } from '../../gateway/check-signature.ts'
import { DOMAIN_SEPARATOR, transferDigest, TYPEHASH } from '../../gateway/transfer-digest.ts'
import { typedTransfer } from './typed-transfer.ts'

const account = privateKeyToAccount(generatePrivateKey())
const WRONG = 'invalid_exact_evm_payload_signature'
const transfer = {
  from: account.address.toLowerCase(),
  to: `0x${'ab'.repeat(20)}`,
  value: 1_000n,
  validAfter: 0n,
  validBefore: 1_763_700_000n,
  nonce: `0x${'0c'.repeat(32)}`,
}
const signed = await account.signTypedData(typedTransfer(transfer))

test('domain and type are those of USDC on Base, by public records', () => {
  expect(bytesToHex(DOMAIN_SEPARATOR)).toBe(
    '0x02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f',
  )
  expect(bytesToHex(TYPEHASH)).toBe('0x7c7c6cdb67a18743f49ec6fa9b35f50d52ed05cbed4cc592e13b44501c1a2267')
})

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((value) => bytesToHex(value))
const uint256 = fc.bigInt({ min: 0n, max: (1n << 256n) - 1n })

test('the digest of any transfer is the one that wallets make', () => {
  const any = fc.record({
    ...{ from: hex(20), to: hex(20), nonce: hex(32) },
    ...{ value: uint256, validAfter: uint256, validBefore: uint256 },
  })
  fc.assert(
    fc.property(any, (one) => {
      expect(bytesToHex(transferDigest(one))).toBe(hashTypedData(typedTransfer(one)))
    }),
  )
})

describe('a signature', () => {
  test('of the payer is right; any bit of it or of the transfer flipped is not', () => {
    expect(checkSignature(transfer, signed)).toBe(null)
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 65 * 8 - 1 }), (bit) => {
        const bytes = Buffer.from(signed.slice(2), 'hex')
        bytes[bit >> 3]! ^= 1 << (bit & 7)
        expect(checkSignature(transfer, `0x${bytes.toString('hex')}`)).toBe(WRONG)
      }),
      { numRuns: 60 },
    )
    expect(checkSignature({ ...transfer, value: 1_001n }, signed)).toBe(WRONG)
    expect(checkSignature({ ...transfer, to: transfer.from }, signed)).toBe(WRONG)
  })

  test('is refused as its high-s twin, with v of 0 or 1, compact, or cut', () => {
    const [r, s, v] = [signed.slice(2, 66), BigInt(`0x${signed.slice(66, 130)}`), signed.slice(130)]
    const highS = (secp256k1.CURVE.n - s).toString(16).padStart(64, '0')
    const twin = `0x${r}${highS}${v === '1b' ? '1c' : '1b'}`
    const compact = `0x${r}${(s | (v === '1c' ? 1n << 255n : 0n)).toString(16).padStart(64, '0')}`
    const others = [
      twin,
      signed.slice(0, 130) + (v === '1b' ? '00' : '01'),
      compact,
      '0x00',
      `0x${'00'.repeat(65)}`,
    ]
    for (const other of others) expect([other, checkSignature(transfer, other)]).toEqual([other, WRONG])
  })

  test('that is longer is for a contract to judge, unless the contract is still to be made', () => {
    expect(checkSignature(transfer, `${signed}00`)).toBe(null)
    expect(checkSignature(transfer, `${signed}${'6492'.repeat(16)}`)).toBe('eip6492_factory_not_allowed')
  })
})
