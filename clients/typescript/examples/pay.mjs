// GATEWAY=http://127.0.0.1:8402 PRIVATE_KEY=0x... node pay.mjs: one call for USDC, without a key.
// npm install sluice-client @x402/core @x402/evm viem
import { x402Client, x402HTTPClient } from '@x402/core/client'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { createSluiceClient } from 'sluice-client'
import { privateKeyToAccount } from 'viem/accounts'

const account = privateKeyToAccount(process.env.PRIVATE_KEY)
const wallet = new x402HTTPClient(new x402Client().register('eip155:8453', new ExactEvmScheme(account)))
const sluice = createSluiceClient({
  url: process.env.GATEWAY,
  // A retry sends the same payment.
  async pay(challenge) {
    const read = (name) => challenge.headers.get(name)
    const asked = wallet.getPaymentRequiredResponse(read, await challenge.json())
    return wallet.encodePaymentSignatureHeader(await wallet.createPaymentPayload(asked))
  },
})
const { data, response } = await sluice.GET('/fiats')
console.log(`${data.length} currencies, receipt: ${response.headers.has('payment-response')}`)
