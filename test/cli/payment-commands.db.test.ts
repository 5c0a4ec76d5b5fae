import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { createChainLedger } from '../../db/payments/chain-ledger.ts'
import { createPaymentLedger } from '../../db/payments/ledger.ts'
import { testDatabase } from '../setup/database.ts'
import { sluiceHere } from './sluice-here.ts'

const database = await testDatabase()
const sluice = sluiceHere({ DATABASE_URL: database.ownerUrl, SLUICE_HOME: '/nowhere' })
const hex = (bytes: number) => `0x${randomBytes(bytes).toString('hex')}`
const SIGNATURE = hex(65)

test('an operator lists and shows payments, but sees neither signatures nor answers', async () => {
  const { pool, close } = openDb({ url: database.gatewayUrl, maxConnections: 1, applicationName: 'test' })
  const ledger = createPaymentLedger(pool)
  const owner = randomUUID()
  await ledger.renewOwner(owner)
  const newClaim = async (amount: bigint) => {
    const claim = await ledger.claim({
      authorization: { chainId: 8453, asset: hex(20), payer: hex(20), nonce: hex(32) },
      amount,
      resourceKey: randomBytes(32),
      authorizationHash: randomBytes(32),
      owner,
      replaySeconds: 300,
      validBefore: new Date(Date.now() + 60_000),
    })
    if (claim.outcome !== 'claimed') throw new Error(claim.outcome)
    const answer = {
      statusCode: 200,
      contentType: 'application/json',
      headers: {},
      body: Buffer.from('"bought"'),
    }
    await ledger.store({ ...claim, request: JSON.stringify({ signature: SIGNATURE }), answer })
    return claim
  }
  const paid = await newClaim(1_000n)
  const transaction = hex(32)
  const settle = (paymentId: string, proof: string) =>
    ledger.settle({
      paymentId,
      transaction: proof,
      extra: {},
      durable: true,
      placed: { blockNumber: 7n, payTo: hex(20) },
    })
  await settle(paid.paymentId, transaction)
  const lost = await newClaim(40_000n)
  await ledger.doubt({ paymentId: lost.paymentId, reason: 'timeout', nonceUsed: false, asked: true })
  const [gone, goneTransaction] = [await newClaim(1_000n), hex(32)]
  await settle(gone.paymentId, goneTransaction)
  await createChainLedger(pool).lose({ paymentId: gone.paymentId, transaction: goneTransaction })
  await close()

  const listed = await sluice('payments', 'list')
  expect(listed).toMatchObject({ status: 0, stderr: '' })
  for (const text of [paid.paymentId, transaction, `0.001`, lost.paymentId, 'timeout', `0.04`])
    expect(listed.stdout).toContain(text)
  const unknown = (await sluice('payments', 'list', '--state', 'unknown')).stdout
  expect(unknown).toContain(lost.paymentId)
  expect(unknown).not.toContain(paid.paymentId)
  const takenAway = (await sluice('payments', 'list', '--state', 'lost')).stdout
  for (const text of [gone.paymentId, goneTransaction, 'transaction_reorganised'])
    expect(takenAway).toContain(text)

  const shown = (await sluice('payments', 'show', lost.paymentId)).stdout
  for (const text of ['unknown', 'timeout', `0.04`, '200', 'answer_bytes']) expect(shown).toContain(text)
  for (const text of [SIGNATURE, 'bought']) expect(shown + listed.stdout).not.toContain(text)
  expect(await sluice('payments', 'show', randomUUID())).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('no payment'),
  })
  for (const wrong of [[], ['list', '--state', 'gone'], ['list', '--limit', '0'], ['show']])
    expect(await sluice('payments', ...wrong)).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('Usage:\n  sluice payments'),
    })
})
