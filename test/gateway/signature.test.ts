import fc from 'fast-check'
import { bytesToHex, hashTypedData } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { checkSignature as check } from '../../gateway/payment/check-signature.ts'
import { DOMAIN_SEPARATOR, transferDigest, TYPEHASH } from '../../gateway/payment/transfer-digest.ts'
import { typedTransfer } from './typed-transfer.ts'

const account = privateKeyToAccount(generatePrivateKey())
/** Order of the secp256k1 group: s and ORDER - s sign the same message. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const WRONG = 'invalid_exact_evm_payload_signature'
const transfer = {
  from: account.address.toLowerCase(),
  to: `0x${'ab'.repeat(20)}`,
  value: 1_000n,
  validAfter: 0n,
  validBefore: 1_763_700_000n,
  nonce: `0x${'0c'.repeat(32)}`,
}
const checkSignature = (of: typeof transfer, signature: string, isContract = false) =>
  check(of, signature, async () => isContract)
const signed = await account.signTypedData(typedTransfer(transfer))

test('domain and type hash equal the public ones of USDC on Base', () => {
  expect(bytesToHex(DOMAIN_SEPARATOR)).toBe(
    '0x02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f',
  )
  expect(bytesToHex(TYPEHASH)).toBe('0x7c7c6cdb67a18743f49ec6fa9b35f50d52ed05cbed4cc592e13b44501c1a2267')
})

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((value) => bytesToHex(value))
const uint256 = fc.bigInt({ min: 0n, max: (1n << 256n) - 1n })

test('the digest of any transfer equals the one of viem', () => {
  const any = fc.record({
    from: hex(20),
    to: hex(20),
    nonce: hex(32),
    value: uint256,
    validAfter: uint256,
    validBefore: uint256,
  })
  fc.assert(
    fc.property(any, (one) => {
      expect(bytesToHex(transferDigest(one))).toBe(hashTypedData(typedTransfer(one)))
    }),
  )
})

describe('a signature', () => {
  test('of the payer is valid, and any flipped bit or changed transfer makes it invalid', async () => {
    expect(await checkSignature(transfer, signed)).toBe(null)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 65 * 8 - 1 }), async (bit) => {
        const bytes = Buffer.from(signed.slice(2), 'hex')
        bytes[bit >> 3]! ^= 1 << (bit & 7)
        expect(await checkSignature(transfer, `0x${bytes.toString('hex')}`)).toBe(WRONG)
      }),
      { numRuns: 60 },
    )
    expect(await checkSignature({ ...transfer, value: 1_001n }, signed)).toBe(WRONG)
    expect(await checkSignature({ ...transfer, to: transfer.from }, signed)).toBe(WRONG)
  })

  test('is refused as high-s twin, with v 0 or 1, compact, or cut', async () => {
    const [r, s, v] = [signed.slice(2, 66), BigInt(`0x${signed.slice(66, 130)}`), signed.slice(130)]
    const highS = (ORDER - s).toString(16).padStart(64, '0')
    const twin = `0x${r}${highS}${v === '1b' ? '1c' : '1b'}`
    const compact = `0x${r}${(s | (v === '1c' ? 1n << 255n : 0n)).toString(16).padStart(64, '0')}`
    const others = [
      twin,
      signed.slice(0, 130) + (v === '1b' ? '00' : '01'),
      compact,
      '0x00',
      `0x${'00'.repeat(65)}`,
    ]
    for (const other of others) expect([other, await checkSignature(transfer, other)]).toEqual([other, WRONG])
  })

  test('of a contract is left to the facilitator, unless the contract is not deployed', async () => {
    for (const other of [`${signed}00`, `0x${'11'.repeat(65)}`, '0x00']) {
      expect(await checkSignature(transfer, other)).toBe(WRONG)
      expect(await checkSignature(transfer, other, true)).toBe(null)
    }
    for (const isContract of [false, true])
      expect(await checkSignature(transfer, `${signed}${'6492'.repeat(16)}`, isContract)).toBe(
        'eip6492_factory_not_allowed',
      )
  })
})
