import { randomBytes } from 'node:crypto'
import { type Hex, parseSignature, toEventSelector, toHex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operator, type Address } from '../../sandbox/chain/actors.ts'
import { call, codeOf } from '../../sandbox/chain/calls.ts'
import { mintUsdc, placeUsdc } from '../../sandbox/chain/place-usdc.ts'
import { createRpc, type Rpc } from '../../sandbox/chain/rpc.ts'
import { type Anvil, startAnvil } from '../setup/anvil.ts'
import { USDC } from '../setup/facilitator.ts'
import { DOMAIN, signPayment, TYPES } from '../setup/sign-payment.ts'

// The sandbox's USDC on Base implements EIP-3009 like the real contract.

const payee: Address = '0x9a7d000000000000000000000000000000000001'
const HALF_ORDER_TWICE = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
let anvil: Anvil
let rpc: Rpc
let payer: PrivateKeyAccount

beforeAll(async () => {
  anvil = await startAnvil(['--chain-id', '8453'])
  rpc = createRpc(anvil.url)
  await placeUsdc(rpc)
  payer = privateKeyToAccount(generatePrivateKey())
  await mintUsdc(rpc, { to: payer.address, units: 1_000_000n })
})
afterAll(() => anvil.stop())

type Signed = Awaited<ReturnType<typeof signPayment>>
type Form = 'vrs' | 'bytes'

function argsOf({ authorization, signature }: Signed, form: Form = 'vrs'): unknown[] {
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const common = [from, to, ...[value, validAfter, validBefore].map(BigInt), nonce]
  if (form === 'bytes') return [...common, signature]
  const { v, r, s } = parseSignature(signature)
  return [...common, v, r, s]
}

const read = (name: string, args: unknown[] = []) =>
  rpc.call('eth_call', { to: USDC, data: call('UsdCoin', name, args) }, 'latest') as Promise<Hex>
const balanceOf = async (owner: string) => BigInt(await read('balanceOf', [owner]))

/** Sends a transaction and returns the topics of its events. Throws the reason of a revert. */
async function send(name: string, args: unknown[], from: string = operator): Promise<Hex[][]> {
  await rpc.call('anvil_setBalance', from, toHex(10n ** 18n))
  const transaction = { from, to: USDC, data: call('UsdCoin', name, args) }
  await rpc.call('eth_call', transaction, 'latest')
  const hash = await rpc.call('eth_sendTransaction', transaction)
  for (;;) {
    const receipt = (await rpc.call('eth_getTransactionReceipt', hash)) as {
      logs: { topics: Hex[] }[]
    } | null
    if (receipt) return receipt.logs.map(({ topics }) => topics)
  }
}

const word = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`
const used = toEventSelector('AuthorizationUsed(address,bytes32)')
const canceled = toEventSelector('AuthorizationCanceled(address,bytes32)')
const moved = toEventSelector('Transfer(address,address,uint256)')

test('EIP-712 domain and type hashes equal those of the real contract', async () => {
  expect(await read('DOMAIN_SEPARATOR')).toBe(
    '0x02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f',
  )
  expect(await read('TRANSFER_WITH_AUTHORIZATION_TYPEHASH')).toBe(
    '0x7c7c6cdb67a18743f49ec6fa9b35f50d52ed05cbed4cc592e13b44501c1a2267',
  )
  expect(await read('RECEIVE_WITH_AUTHORIZATION_TYPEHASH')).toBe(
    '0xd099cc98ef71107a616c4f0f941f04c322d8e254fe26b3c6668db87aae413de8',
  )
  expect(await read('CANCEL_AUTHORIZATION_TYPEHASH')).toBe(
    '0x158b0a9edf7a828aad02f63cd515c68ef2f50ba807396f6d12842833a1597429',
  )
})

test.each<Form>(['vrs', 'bytes'])(
  'anybody can submit an authorization, and it transfers once (%s)',
  async (form) => {
    const signed = await signPayment(payer, { to: payee, value: '1000' })
    const { nonce } = signed.authorization
    const before = [await balanceOf(payer.address), await balanceOf(payee)]
    expect(await send('transferWithAuthorization', argsOf(signed, form))).toEqual([
      [used, word(payer.address), nonce],
      [moved, word(payer.address), word(payee)],
    ])
    expect([await balanceOf(payer.address), await balanceOf(payee)]).toEqual([
      before[0]! - 1_000n,
      before[1]! + 1_000n,
    ])
    expect(BigInt(await read('authorizationState', [payer.address, nonce]))).toBe(1n)
    await expect(send('transferWithAuthorization', argsOf(signed, form))).rejects.toThrow(
      'authorization is used or canceled',
    )
  },
)

test('an authorization is refused before and after its time window', async () => {
  const nowS = Math.floor(Date.now() / 1_000)
  const early = await signPayment(payer, { to: payee, value: '1', validAfter: String(nowS + 100) })
  const late = await signPayment(payer, { to: payee, value: '1', validBefore: String(nowS - 100) })
  await expect(send('transferWithAuthorization', argsOf(early))).rejects.toThrow(
    'authorization is not yet valid',
  )
  await expect(send('transferWithAuthorization', argsOf(late))).rejects.toThrow('authorization is expired')
})

test('another amount, another signer and malleable signatures are refused', async () => {
  const signed = await signPayment(payer, { to: payee, value: '1000' })
  const transfer = (signature: Hex, change = {}) =>
    send(
      'transferWithAuthorization',
      argsOf({ authorization: { ...signed.authorization, ...change }, signature }, 'bytes'),
    )
  await expect(transfer(signed.signature, { value: '1001' })).rejects.toThrow('invalid signature')
  const other = await signPayment(privateKeyToAccount(generatePrivateKey()), signed.authorization)
  await expect(transfer(other.signature)).rejects.toThrow('FiatTokenV2: invalid signature')
  const { r, s, v } = parseSignature(signed.signature)
  const packed = (rest: { s: Hex; v: bigint }) =>
    `${r}${rest.s.slice(2)}${rest.v.toString(16).padStart(2, '0')}` as Hex
  const highS = toHex(HALF_ORDER_TWICE - BigInt(s), { size: 32 })
  await expect(transfer(packed({ s: highS, v: 55n - v! }))).rejects.toThrow(`invalid signature 's' value`)
  await expect(transfer(packed({ s, v: v! - 27n }))).rejects.toThrow(`invalid signature 'v' value`)
  await expect(transfer(signed.signature.slice(0, -2) as Hex)).rejects.toThrow('invalid signature length')
  expect(BigInt(await read('authorizationState', [payer.address, signed.authorization.nonce]))).toBe(0n)
  await transfer(signed.signature)
})

test('an amount above the balance is refused and leaves the authorization unused', async () => {
  const signed = await signPayment(payer, { to: payee, value: '1000001' })
  await expect(send('transferWithAuthorization', argsOf(signed))).rejects.toThrow(
    'transfer amount exceeds balance',
  )
  expect(BigInt(await read('authorizationState', [payer.address, signed.authorization.nonce]))).toBe(0n)
})

test.each<Form>(['vrs', 'bytes'])('only the payee can use an authorization to receive (%s)', async (form) => {
  const signed = await signPayment(payer, { to: payee, value: '7' }, 'ReceiveWithAuthorization')
  const receive = (from: string) => send('receiveWithAuthorization', argsOf(signed, form), from)
  await expect(send('transferWithAuthorization', argsOf(signed, form))).rejects.toThrow('invalid signature')
  await expect(receive(operator)).rejects.toThrow('caller must be the payee')
  expect((await receive(payee))[0]).toEqual([used, word(payer.address), signed.authorization.nonce])
})

test.each<Form>(['vrs', 'bytes'])(
  'a canceled authorization cannot be used, and a used one cannot be canceled (%s)',
  async (form) => {
    const cancel = async (nonce: Hex) => {
      const message = { authorizer: payer.address, nonce }
      const signature = await payer.signTypedData({
        domain: DOMAIN,
        types: TYPES,
        primaryType: 'CancelAuthorization',
        message,
      })
      const { v, r, s } = parseSignature(signature)
      return send('cancelAuthorization', [
        payer.address,
        nonce,
        ...(form === 'vrs' ? [v, r, s] : [signature]),
      ])
    }
    const first = await signPayment(payer, { to: payee, value: '5' })
    expect(await cancel(first.authorization.nonce)).toEqual([
      [canceled, word(payer.address), first.authorization.nonce],
    ])
    await expect(send('transferWithAuthorization', argsOf(first))).rejects.toThrow('used or canceled')
    const second = await signPayment(payer, { to: payee, value: '5' })
    await send('transferWithAuthorization', argsOf(second))
    await expect(cancel(second.authorization.nonce)).rejects.toThrow('used or canceled')
  },
)

test('a contract wallet decides itself which signatures are valid', async () => {
  const wallet = toHex(randomBytes(20)) as Address
  await rpc.call('anvil_setCode', wallet, codeOf('ContractWallet'))
  const data = call('ContractWallet', 'init', [payer.address])
  await rpc.call('eth_sendTransaction', { from: operator, to: wallet, data })
  await mintUsdc(rpc, { to: wallet, units: 100n })
  const given = { from: wallet, to: payee, value: '60' }
  const stranger = await signPayment(privateKeyToAccount(generatePrivateKey()), given)
  await expect(send('transferWithAuthorization', argsOf(stranger, 'bytes'))).rejects.toThrow(
    'invalid signature',
  )
  await send('transferWithAuthorization', argsOf(await signPayment(payer, given), 'bytes'))
  expect(await balanceOf(wallet)).toBe(40n)
})
