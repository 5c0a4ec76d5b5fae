import { type Address, decodeFunctionData, type Hex, parseAbi, serializeSignature } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { testDatabase } from '../setup/database.ts'
import { startFacilitator } from '../setup/facilitator.ts'
import { PAY_TO, startGateway } from '../setup/gateway.ts'
import { query } from '../setup/query.ts'
import { challengeOf, pay, paymentV1, paymentV2, send } from './pay.ts'

// Attacks 1 and 2 by somebody who rebuilds the header of a settled payment from the chain.

const database = await testDatabase()
const facilitator = await startFacilitator()
afterAll(() => facilitator.stop())
const options = { database, routes, facilitatorUrl: facilitator.url, rpcUrl: facilitator.rpcUrl }
const gateway = await startGateway(options)
/** A slow machine allows as many requests as a fast one. */
const stillClock = { monotonicMs: () => 0 }

const abi = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
])

/** Reads the payload of a payment from its transaction. */
async function payloadOf(transaction: string) {
  const { input } = (await facilitator.rpc.call('eth_getTransactionByHash', transaction)) as { input: Hex }
  const { args } = decodeFunctionData({ abi, data: input })
  const [from, to, value, validAfter, validBefore, nonce, ...signed] = args as unknown as [
    ...[Address, Address, bigint, bigint, bigint, Hex],
    ...([Hex] | [number, Hex, Hex]),
  ]
  const [v, r, s] = signed as [number, Hex, Hex]
  const signature = signed.length === 1 ? signed[0] : serializeSignature({ v: BigInt(v), r, s })
  const numbers = { value: `${value}`, validAfter: `${validAfter}`, validBefore: `${validBefore}` }
  return { signature, authorization: { from, to, nonce, ...numbers } }
}

/** Payments that can be built from the transaction alone. */
async function rebuilt(transaction: string, path: string) {
  const [challenge, payload] = [await challengeOf(gateway, path), await payloadOf(transaction)]
  return [paymentV1(payload), paymentV2(challenge, payload)]
}

test('S12 a payment rebuilt from the chain gets no session and buys no other call of the same price', async () => {
  const { answer } = await pay(gateway, '/coins?limit=5', { payer: await facilitator.newPayer() })
  const before = { asked: { ...gateway.asked }, paid: await facilitator.usdcOf(PAY_TO) }
  for (const payment of await rebuilt(answer.receipt.transaction, '/coins?limit=5')) {
    const stolen = await send(gateway, '/coins?limit=5', payment)
    expect(stolen).toMatchObject({ status: 200, body: answer.body, cookie: null })
  }
  for (const other of ['/coins?limit=6', '/fiats', '/markets'])
    for (const payment of await rebuilt(answer.receipt.transaction, other)) {
      const refused = { status: 402, body: { error: 'invalid_exact_evm_nonce_already_used' }, cookie: null }
      expect(await send(gateway, other, payment)).toMatchObject(refused)
    }
  expect({ asked: gateway.asked, paid: await facilitator.usdcOf(PAY_TO) }).toEqual(before)
})

test('a stored answer is repeated only within X402_REPLAY_SECONDS', async () => {
  const { answer, payment } = await pay(gateway, '/fiats', { payer: await facilitator.newPayer() })
  const strict = await startGateway({ ...options, payments: { replaySeconds: 10 } })
  expect(await send(strict, '/fiats', payment)).toMatchObject({ status: 200, receipt: answer.receipt })
  await query(
    database.ownerUrl,
    `update payments set settled_at = settled_at - interval '11 seconds' where transaction = $1`,
    [answer.receipt.transaction],
  )
  const payments = await rebuilt(answer.receipt.transaction, '/fiats')
  for (const late of [payment, ...payments])
    expect(await send(strict, '/fiats', late)).toMatchObject({
      status: 402,
      receipt: null,
      cookie: null,
      body: { error: 'invalid_exact_evm_nonce_already_used' },
    })
  expect(await send(gateway, '/fiats', payment)).toMatchObject({ status: 200, cookie: null })
})

test('150 parallel replays of one payment are rate limited', async () => {
  const still = await startGateway({ ...options, overrides: stillClock })
  const { payment } = await pay(still, '/coins', { payer: await facilitator.newPayer() })
  const answers = await Promise.all(Array.from({ length: 150 }, () => send(still, '/coins', payment)))
  const served = answers.filter(({ status }) => status === 200)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]))
  expect(served.length).toBeGreaterThan(0)
  expect(served.length).toBeLessThan(40)
  const refused = answers.find(({ status }) => status === 429)!
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
})

test('replays from another network do not use up the rate of the payer', async () => {
  const behindProxy = await startGateway({
    ...options,
    overrides: { ...stillClock, trustedProxies: '127.0.0.1' },
  })
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const payer = await facilitator.newPayer()
  const { payment } = await pay(behindProxy, '/coins', { payer, headers: from('2001:db8:1:1::1') })
  const stolen = await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      send(behindProxy, '/coins', payment, from(`2001:db8:2:2::${i.toString(16)}`)),
    ),
  )
  // All addresses of the /64 count as one client.
  expect(stolen.filter(({ status }) => status === 429).length).toBeGreaterThan(20)
  const again = await send(behindProxy, '/coins', payment, from('2001:db8:1:1::2'))
  expect(again).toMatchObject({ status: 200, receipt: { success: true } })
})
