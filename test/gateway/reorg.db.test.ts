import { pino } from 'pino'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { countLostPayments } from '../../db/payments/chain-ledger.ts'
import { createChainWatch } from '../../gateway/chain/chain-watch.ts'
import { testDatabase } from '../setup/database.ts'
import { startFacilitator } from '../setup/facilitator.ts'
import { PAY_TO, startGateway } from '../setup/gateway.ts'
import { query } from '../setup/query.ts'
import { pay, send } from './pay.ts'

// Reorgs that remove settled payments, made by reverting anvil to an earlier snapshot.

const database = await testDatabase()
const facilitator = await startFacilitator()
afterAll(() => facilitator.stop())
const gateway = await startGateway({
  database,
  routes,
  facilitatorUrl: facilitator.url,
  rpcUrl: facilitator.rpcUrl,
})
const { anvil } = facilitator
const alarms: unknown[] = []
const watchOf = (blocks: number, payTo = PAY_TO) =>
  createChainWatch({
    pool: gateway.pool,
    chain: gateway.chain!,
    payee: gateway.payee!,
    payTo,
    blocks,
    logger: {
      ...pino({ level: 'silent' }),
      warn: () => {},
      error: (_: unknown, text?: string) => alarms.push(text),
    },
  })
const watch = watchOf(50)
const stateOf = async (transaction: string) =>
  (
    await query<{ state: string; last_error: string | null }>(
      database.ownerUrl,
      'select state, last_error from payments where transaction = $1',
      [transaction],
    )
  )[0]
const mine = (blocks: number) => anvil.call('anvil_mine', `0x${blocks.toString(16)}`)
const payer = await facilitator.newPayer()
const buy = async () => {
  const { answer, payment } = await pay(gateway, '/coins', { payer })
  expect(answer.status).toBe(200)
  return { payment, cookie: answer.cookie!, transaction: answer.receipt.transaction as string }
}
const statusWith = async (cookie: string) => (await gateway.get('/fiats', { headers: { cookie } })).status
beforeEach(() => void (alarms.length = 0))

test('S14 a settled payment removed by a reorg becomes lost: no session, no answer, and an alarm', async () => {
  const kept = await buy()
  const snapshot = await anvil.call('evm_snapshot')
  const gone = await buy()
  await watch.look()
  expect([await stateOf(gone.transaction), alarms]).toEqual([{ state: 'settled', last_error: null }, []])
  expect(await statusWith(gone.cookie)).toBe(200)
  const raw = await anvil.call('eth_getRawTransactionByHash', gone.transaction)

  await anvil.call('evm_revert', snapshot)
  await watch.look()
  // The node has fewer blocks than before, so it may only lag.
  expect((await stateOf(gone.transaction))!.state).toBe('settled')
  await mine(10)
  await watch.look()
  expect(await stateOf(gone.transaction)).toEqual({ state: 'lost', last_error: 'transaction_reorganised' })
  expect(alarms).toEqual(['a reorg removed a settled payment from the chain'])
  expect(await countLostPayments(gateway.pool)).toBe(1)
  await expect.poll(() => statusWith(gone.cookie)).toBe(402)
  // No 402 while the transaction may come back.
  expect(await send(gateway, '/coins', gone.payment)).toMatchObject({
    status: 503,
    receipt: { success: false, errorReason: 'settlement_pending' },
  })
  await watch.look()
  expect(alarms).toHaveLength(1)
  expect((await stateOf(kept.transaction))!.state).toBe('settled')
  expect(await statusWith(kept.cookie)).toBe(200)

  // It comes back in a later block.
  await anvil.call('eth_sendRawTransaction', raw)
  await expect
    .poll(() => anvil.call('eth_getTransactionReceipt', gone.transaction))
    .toMatchObject({ status: '0x1' })
  await watch.look()
  expect(await stateOf(gone.transaction)).toEqual({ state: 'settled', last_error: null })
  expect(await countLostPayments(gateway.pool)).toBe(0)
  expect(await send(gateway, '/coins', gone.payment)).toMatchObject({
    status: 200,
    receipt: { success: true },
  })
  await watch.look()
  expect((await stateOf(gone.transaction))!.state).toBe('settled')
})

test('a lost payment whose authorization has expired is refused, as it can never be charged', async () => {
  const snapshot = await anvil.call('evm_snapshot')
  const { payment, transaction } = await buy()
  await anvil.call('evm_revert', snapshot)
  await mine(10)
  await watch.look()
  expect((await stateOf(transaction))!.state).toBe('lost')
  await query(
    database.ownerUrl,
    `update payments set valid_before = valid_before - interval '20 minutes' where transaction = $1`,
    [transaction],
  )
  const refused = { status: 402, body: { error: 'transaction_reorganised' } }
  expect(await send(gateway, '/coins', payment)).toMatchObject(refused)
})

test('payments to a former payee address are checked one by one and stay settled', async () => {
  const { transaction } = await buy()
  await watchOf(50, '0x9a7d000000000000000000000000000000000099').look()
  expect([(await stateOf(transaction))!.state, alarms]).toEqual(['settled', []])
})

test('payments deeper than the newest blocks are not checked', async () => {
  const snapshot = await anvil.call('evm_snapshot')
  const { transaction } = await buy()
  await anvil.call('evm_revert', snapshot)
  await mine(20)
  await watchOf(5).look()
  expect((await stateOf(transaction))!.state).toBe('settled')
  await watchOf(50).look()
  expect((await stateOf(transaction))!.state).toBe('lost')
})
