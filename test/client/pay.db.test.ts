import { x402Client, x402HTTPClient } from '@x402/core/client'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment } from '@x402/fetch'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { createSluiceClient } from '../../clients/typescript/index.ts'
import { LOST, startFaultProxy } from '../gateway/fault-proxy.ts'
import { testDatabase } from '../setup/database.ts'
import { startFacilitator } from '../setup/facilitator.ts'
import { startGateway } from '../setup/gateway.ts'
import { query } from '../setup/query.ts'

const database = await testDatabase()
const facilitator = await startFacilitator()
afterAll(() => facilitator.stop())
const proxy = await startFaultProxy(() => facilitator.url)
afterAll(() => proxy.stop())
// Without a node, only the facilitator tells what became of a payment.
const gateway = await startGateway({ database, routes, facilitatorUrl: proxy.url })
const url = `http://127.0.0.1:${gateway.port}`
beforeAll(() =>
  query(
    database.ownerUrl,
    `insert into fx_rates (currency, at, per_usd, source, fetched_at) values ('EUR', date_trunc('day', now(), 'UTC'), 0.8, 'test', now())`,
  ),
)

async function newWallet() {
  const account = await facilitator.newPayer({ usdc: 1 })
  const signer = new x402Client().register('eip155:8453', new ExactEvmScheme(account))
  const wallet = new x402HTTPClient(signer)
  const pay = async (challenge: Response) => {
    const asked = wallet.getPaymentRequiredResponse(
      (name) => challenge.headers.get(name),
      await challenge.json(),
    )
    return wallet.encodePaymentSignatureHeader(await wallet.createPaymentPayload(asked))
  }
  const spent = async () => 1_000_000n - (await facilitator.usdcOf(account.address))
  return { signer, pay, spent }
}

test('a payment whose outcome is unknown is sent again, and paid once', async () => {
  const { pay, spent } = await newWallet()
  proxy.plan('settle', LOST['a cut connection']!(true))
  const { data } = await createSluiceClient({ url, pay }).GET('/fiats')
  expect(data.map(({ name }) => name)).toEqual(['USD', 'EUR'])
  expect(await spent()).toBe(1_000n)
})

test('a fetch that pays by itself is not asked again: it would pay anew', async () => {
  const { signer, spent } = await newWallet()
  proxy.plan('settle', LOST['a cut connection']!(true))
  const paying = createSluiceClient({ url, fetch: wrapFetchWithPayment(fetch, signer) })
  await expect(paying.GET('/fiats')).rejects.toMatchObject({ kind: 'payment-pending', status: 503 })
  expect(await spent()).toBe(1_000n)
})
