import { randomBytes } from 'node:crypto'
import { toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { type Address, operator } from '../../sandbox/chain/actors.ts'
import { call, codeOf } from '../../sandbox/chain/calls.ts'
import { mintUsdc } from '../../sandbox/chain/place-usdc.ts'
import { testDatabase } from '../setup/database.ts'
import { startFacilitator } from '../setup/facilitator.ts'
import { PAY_TO, startGateway } from '../setup/gateway.ts'
import { query } from '../setup/query.ts'
import { type Challenge, challengeOf, encode, pay, paymentV1, paymentV2, send, signTransfer } from './pay.ts'
import { sendRaw } from './send-raw.ts'

// Attacks 5 to 20 on the payment itself. None of them reaches the facilitator or leaves a row.

const database = await testDatabase()
const facilitator = await startFacilitator()
afterAll(() => facilitator.stop())
const gateway = await startGateway({
  database,
  routes,
  facilitatorUrl: facilitator.url,
  rpcUrl: facilitator.rpcUrl,
  // A fast clock, so that failures of this one address never reach the limit.
  overrides: { monotonicMs: () => Date.now() * 1_000 },
})
const payer = await facilitator.newPayer()
const nowS = () => BigInt(Math.floor(Date.now() / 1_000))
const claims = () => query(database.ownerUrl, 'select from payments')

let before: { asked: typeof gateway.asked; claims: number; paid: bigint }
const state = async () => ({
  asked: { ...gateway.asked },
  claims: (await claims()).length,
  paid: await facilitator.usdcOf(PAY_TO),
})
beforeEach(async () => void (before = await state()))

/** A 402 with the error body of the API. */
function refusedWith(reason: string) {
  const body = { x402Version: 1, error: reason, statusCode: 402, message: 'Payment required' }
  return { status: 402, body, receipt: null, cookie: null }
}
const BAD = {
  status: 400,
  body: { statusCode: 400, message: 'Invalid payment' },
  cookie: null,
  receipt: null,
}

describe('the payment itself', () => {
  afterEach(async () => expect(await state()).toEqual(before))

  test('5. a value one unit below or above is refused', async () => {
    for (const value of [999n, 1_001n]) {
      const { answer } = await pay(gateway, '/coins', { payer, transfer: { value } })
      expect(answer).toMatchObject(refusedWith('invalid_exact_evm_payload_authorization_value_mismatch'))
      expect(answer.body.accepts[0].maxAmountRequired).toBe('1000')
    }
  })

  test('6. a cheap payment does not buy an expensive endpoint', async () => {
    const challenge = await challengeOf(gateway, '/coins')
    const payload = await signTransfer({ challenge, payer })
    const dear = `/wallet/defi?address=${payer.address}&blockchain=all`
    expect(await challengeOf(gateway, dear)).toMatchObject({ accepts: [{ amount: '40000' }] })
    for (const payment of [paymentV1(payload), paymentV2(challenge, payload)])
      expect(await send(gateway, dear, payment)).toMatchObject(
        refusedWith('invalid_exact_evm_payload_authorization_value_mismatch'),
      )
  })

  test('8. another payee, asset or token name is refused', async () => {
    const wrong = 'invalid_exact_evm_payload_signature'
    const payee = await pay(gateway, '/coins', { payer, transfer: { to: payer.address } })
    expect(payee.answer).toMatchObject(refusedWith('invalid_exact_evm_payload_recipient_mismatch'))
    for (const domain of [{ name: 'USDC' }, { verifyingContract: payer.address }, { version: '1' }]) {
      const { answer } = await pay(gateway, '/coins', { payer, domain })
      expect(answer).toMatchObject(refusedWith(wrong))
    }
  })

  test('9. another chain or network is refused', async () => {
    const { answer } = await pay(gateway, '/coins', { payer, domain: { chainId: 84_532 } })
    expect(answer).toMatchObject(refusedWith('invalid_exact_evm_payload_signature'))
    const challenge = await challengeOf(gateway, '/coins')
    const payload = await signTransfer({ challenge, payer })
    const accepted = { ...challenge.accepts[0]!, network: 'eip155:84532' }
    for (const payment of [
      { ...paymentV1(payload), network: 'base-sepolia' },
      { ...paymentV1(payload), network: 'eip155:8453' },
      { ...paymentV2(challenge, payload), accepted },
    ])
      expect(await send(gateway, '/coins', payment)).toMatchObject(refusedWith('invalid_network'))
  })

  test('10. an edited requirement is refused', async () => {
    const challenge = await challengeOf(gateway, '/coins')
    const edited = (change: Partial<Challenge['accepts'][number]>) => ({
      ...challenge,
      accepts: [{ ...challenge.accepts[0]!, ...change }],
    })
    const [cheaper, own] = [edited({ amount: '1' }), edited({ payTo: payer.address })]
    const reasons = {
      signed: [
        'invalid_exact_evm_payload_authorization_value_mismatch',
        'invalid_exact_evm_payload_recipient_mismatch',
      ],
    }
    for (const [i, changed] of [cheaper, own].entries()) {
      const payment = paymentV2(changed, await signTransfer({ challenge: changed, payer }))
      expect(await send(gateway, '/coins', payment)).toMatchObject(refusedWith(reasons.signed[i]!))
    }
    const payload = await signTransfer({ challenge, payer })
    for (const changed of [cheaper, own, edited({ asset: payer.address })])
      expect(await send(gateway, '/coins', paymentV2(changed, payload))).toMatchObject(
        refusedWith('invalid_payment_requirements'),
      )
  })

  test('11. an expired, expiring or far-off validBefore is refused', async () => {
    for (const validBefore of [nowS() - 1n, nowS() + 5n, 4_102_444_800n, (1n << 255n) - 1n]) {
      const { answer } = await pay(gateway, '/coins', { payer, transfer: { validBefore } })
      expect(answer).toMatchObject(refusedWith('invalid_exact_evm_payload_authorization_valid_before'))
    }
  })

  test('12. a validAfter in the future is refused', async () => {
    const { answer } = await pay(gateway, '/coins', { payer, transfer: { validAfter: nowS() + 5n } })
    expect(answer).toMatchObject(refusedWith('invalid_exact_evm_payload_authorization_valid_after'))
  })

  test('13. a flipped bit or the signature of another account is refused', async () => {
    const challenge = await challengeOf(gateway, '/coins')
    const payload = await signTransfer({ challenge, payer })
    const bytes = Buffer.from(payload.signature.slice(2), 'hex')
    bytes[40]! ^= 1
    const stranger = privateKeyToAccount(generatePrivateKey())
    const forged = await signTransfer({ challenge, payer: stranger, transfer: { from: payer.address } })
    for (const wrong of [{ ...payload, signature: `0x${bytes.toString('hex')}` as const }, forged])
      for (const payment of [paymentV1(wrong), paymentV2(challenge, wrong)])
        expect(await send(gateway, '/coins', payment)).toMatchObject(
          refusedWith('invalid_exact_evm_payload_signature'),
        )
  })

  test('16. a signature of an undeployed contract is refused, and its factory is never called', async () => {
    const challenge = await challengeOf(gateway, '/coins')
    const { authorization, signature } = await signTransfer({ challenge, payer })
    const factory = `0x${'f'.repeat(40)}${signature.slice(2)}${'6492'.repeat(16)}` as const
    expect(
      await send(gateway, '/coins', paymentV2(challenge, { authorization, signature: factory })),
    ).toMatchObject(refusedWith('eip6492_factory_not_allowed'))
  })

  test('17. other schemes and malformed payments get 400', async () => {
    const challenge = await challengeOf(gateway, '/coins')
    const payload = await signTransfer({ challenge, payer })
    const v2 = paymentV2(challenge, payload)
    const valued = (value: unknown) => ({
      ...v2,
      payload: { ...payload, authorization: { ...payload.authorization, value } },
    })
    const deep = '{"x402Version":2,"accepted":'.concat('['.repeat(60), ']'.repeat(60), '}')
    const bad: unknown[] = [
      ...['0', '-1000', '1000.0', '0x3e8', '1e3', 1_000, ''].map(valued),
      { ...v2, accepted: { ...v2.accepted, scheme: 'upto' } },
      { ...paymentV1(payload), scheme: 'upto' },
      { ...v2, accepted: { ...v2.accepted, extra: { assetTransferMethod: 'permit2' } } },
      { ...v2, payload: { signature: payload.signature, permit2Authorization: payload.authorization } },
      { ...v2, x402Version: 3 },
      [v2],
      Buffer.from(JSON.stringify(v2).replace('{', '{"__proto__":{"scheme":"exact"},')).toString('base64'),
      Buffer.from(deep).toString('base64'),
    ]
    for (const payment of bad) expect(await send(gateway, '/coins', payment)).toMatchObject(BAD)
  })

  test('18. invalid base64, UTF-8 or JSON gets 400', async () => {
    const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64')
    for (const header of ['!', 'a b', '{}', base64(Uint8Array.of(0xff, 0xfe)), base64('hello'), base64('{')])
      expect(await send(gateway, '/coins', header)).toMatchObject(BAD)
  })

  test('19. a payment above 8 KB gets 431 before it is decoded', async () => {
    const answer = await send(gateway, '/coins', 'A'.repeat(8_193))
    expect(answer).toMatchObject({ status: 431, body: { message: 'Request Header Fields Too Large' } })
    // 431 even if it is not base64.
    expect(await send(gateway, '/coins', '!'.repeat(8_193))).toMatchObject({ status: 431 })
    const huge = await gateway.get('/coins', { headers: { 'x-payment': 'A'.repeat(17_000) } })
    expect(huge.status).toBe(431)
  })
})

test('7. a payment without a resource is bound to its first use, and one for another resource is refused', async () => {
  const challenge = await challengeOf(gateway, '/coins')
  const foreign = paymentV2(challenge, await signTransfer({ challenge, payer }))
  for (const url of ['https://evil.example.org/coins', challenge.resource.url, `${challenge.resource.url}/`])
    expect(
      await send(gateway, '/fiats', { ...foreign, resource: { ...challenge.resource, url } }),
    ).toMatchObject(refusedWith('invalid_payload'))
  expect(await state()).toEqual(before)
  const meantForCoins = paymentV1(await signTransfer({ challenge, payer }))
  expect(await send(gateway, '/fiats', meantForCoins)).toMatchObject({ status: 200 })
  expect((await send(gateway, '/coins', meantForCoins)).status).toBe(402)
  expect((await send(gateway, '/fiats?x=1', meantForCoins)).status).toBe(402)
  expect(await facilitator.usdcOf(PAY_TO)).toBe(before.paid + 1_000n)
})

test('14. a high-s twin or another form of a signature does not pay a second time', async () => {
  const { challenge, payload, payment, answer } = await pay(gateway, '/coins', { payer })
  expect(answer.status).toBe(200)
  const { paid } = await state()
  const n = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const [r, s, v] = [
    payload.signature.slice(2, 66),
    BigInt(`0x${payload.signature.slice(66, 130)}`),
    payload.signature.slice(130),
  ]
  const word = (value: bigint) => value.toString(16).padStart(64, '0')
  const others = [
    `${r}${word(n - s)}${v === '1b' ? '1c' : '1b'}`,
    `${r}${word(s)}${v === '1b' ? '00' : '01'}`,
    `${r}${word(s | (v === '1c' ? 1n << 255n : 0n))}`,
  ]
  for (const hex of others) {
    const twin = { ...payload, signature: `0x${hex}` as const }
    for (const other of [paymentV1(twin), paymentV2(challenge, twin)])
      expect(await send(gateway, '/coins', other)).toMatchObject(
        refusedWith('invalid_exact_evm_payload_signature'),
      )
  }
  expect(await send(gateway, '/coins', payment)).toMatchObject({ status: 200, receipt: answer.receipt })
  expect((await state()).paid).toBe(paid)
})

test('15. the facilitator checks signatures of contracts: the owner can pay, others cannot', async () => {
  const wallet = toHex(randomBytes(20)) as Address
  await facilitator.rpc.call('anvil_setCode', wallet, codeOf('ContractWallet'))
  const data = call('ContractWallet', 'init', [payer.address])
  await facilitator.rpc.call('eth_sendTransaction', { from: operator, to: wallet, data })
  await mintUsdc(facilitator.rpc, { to: wallet, units: 5_000n })
  const stranger = privateKeyToAccount(generatePrivateKey())
  const forged = await pay(gateway, '/coins', { payer: stranger, transfer: { from: wallet } })
  expect(forged.answer).toMatchObject({ status: 402, receipt: null })
  expect(gateway.asked).toEqual({ ...before.asked, verify: before.asked.verify + 1 })
  const { answer } = await pay(gateway, '/coins', { payer, transfer: { from: wallet } })
  expect(answer).toMatchObject({ status: 200, receipt: { success: true, payer: wallet.toLowerCase() } })
  // Without a node the gateway cannot tell that it is a contract.
  const blind = await startGateway({ database, routes, facilitatorUrl: facilitator.url })
  const refused = await pay(blind, '/coins', { payer, transfer: { from: wallet } })
  expect(refused.answer).toMatchObject(refusedWith('invalid_exact_evm_payload_signature'))
  expect(blind.asked).toEqual({ verify: 0, settle: 0 })
})

test('20. two payments or a repeated header get 400; the same payment under both names is accepted', async () => {
  const challenge = await challengeOf(gateway, '/coins')
  const [one, other] = await Promise.all(
    [1, 2].map(async () => encode(paymentV2(challenge, await signTransfer({ challenge, payer })))),
  )
  const both = (signature: string) => send(gateway, '/coins', one, { 'payment-signature': signature })
  expect(await both(other!)).toMatchObject(BAD)
  const twice = await sendRaw(gateway, {
    target: '/coins',
    headers: [`X-PAYMENT: ${one}`, `x-payment: ${one}`],
  })
  expect(twice.status).toBe(400)
  expect(await state()).toEqual(before)
  expect(await both(one!)).toMatchObject({ status: 200 })
})
