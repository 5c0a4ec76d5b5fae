// GATEWAY=http://127.0.0.1:8402 PRIVATE_KEY=0x... node pay.mjs: one call for USDC, without a key.
// npm install sluice-client @x402/fetch @x402/evm viem
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { createSluiceClient } from 'sluice-client'
import { privateKeyToAccount } from 'viem/accounts'

const payer = privateKeyToAccount(process.env.PRIVATE_KEY)
const paying = wrapFetchWithPayment(
  fetch,
  new x402Client().register('eip155:8453', new ExactEvmScheme(payer)),
)
const sluice = createSluiceClient({ url: process.env.GATEWAY, fetch: paying })
const { data, response } = await sluice.GET('/fiats')
console.log(`${data.length} currencies, receipt: ${response.headers.has('payment-response')}`)
