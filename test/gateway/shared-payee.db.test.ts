import { afterAll, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { warnOfSharedPayee } from '../../gateway/chain/warn-of-shared-payee.ts'
import { testDatabase } from '../setup/database.ts'
import { startFacilitator } from '../setup/facilitator.ts'
import { PAY_TO, startGateway, type TestGateway } from '../setup/gateway.ts'
import { pay, send } from './pay.ts'

// Two installations with separate databases share one payee address.

const facilitator = await startFacilitator()
afterAll(() => facilitator.stop())
const chain = { routes, facilitatorUrl: facilitator.url, rpcUrl: facilitator.rpcUrl }
const first = await startGateway({ ...chain, database: await testDatabase() })
const database = await testDatabase()
const second = await startGateway({ ...chain, database })

async function warningsOf({ pool, payee }: TestGateway) {
  const said: unknown[] = []
  const logger = { warn: (...given: unknown[]) => void said.push(given) }
  await warnOfSharedPayee({ pool, payee: payee!, payTo: PAY_TO, logger })
  return said
}

test('the start warns if another installation uses the payee address, and names a payment as proof', async () => {
  expect(await warningsOf(second)).toEqual([])
  const { answer } = await pay(first, '/coins', { payer: await facilitator.newPayer() })
  expect(await warningsOf(first)).toEqual([])
  expect(await warningsOf(second)).toEqual([
    [
      { payTo: PAY_TO, transaction: answer.receipt.transaction, payments: 1 },
      expect.stringContaining('Give each installation its own address'),
    ],
  ])
})

test('a payment settled for one is refused at the other unless X402_SETTLED_ELSEWHERE=serve', async () => {
  const { answer, payment } = await pay(first, '/coins', { payer: await facilitator.newPayer() })
  expect(answer.status).toBe(200)
  expect(await send(second, '/coins', payment)).toMatchObject({
    status: 402,
    receipt: null,
    cookie: null,
    body: { error: 'invalid_exact_evm_nonce_already_used' },
  })
  const generous = await startGateway({ ...chain, database, payments: { servesElsewhere: true } })
  const { transaction } = answer.receipt
  expect(await send(generous, '/coins', payment)).toMatchObject({ status: 200, receipt: { transaction } })
})
