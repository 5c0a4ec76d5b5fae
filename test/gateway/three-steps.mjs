// Usage: PAYER_KEY=0x... node three-steps.mjs URL
// Pays for one request by the three steps of the interface, without the x402 packages. Prints JSON.
import { randomBytes } from 'node:crypto'
import { privateKeyToAccount } from 'viem/accounts'

const url = process.argv[2]
const payer = privateKeyToAccount(process.env.PAYER_KEY)
const decode = (text) => JSON.parse(Buffer.from(text, 'base64').toString())

// Step 1: a normal GET. The challenge (amount, currency, pay-to wallet, network) is in the header payment-required.
const first = await fetch(url)
const challenge = decode(first.headers.get('payment-required'))
const accepted = challenge.accepts[0]

// Step 2: sign an EIP-3009 transferWithAuthorization for the exact amount.
const authorization = {
  from: payer.address,
  to: accepted.payTo,
  value: accepted.amount,
  validAfter: '0',
  validBefore: String(Math.floor(Date.now() / 1_000) + accepted.maxTimeoutSeconds),
  nonce: `0x${randomBytes(32).toString('hex')}`,
}
const signature = await payer.signTypedData({
  domain: {
    name: accepted.extra.name,
    version: accepted.extra.version,
    chainId: Number(accepted.network.split(':')[1]),
    verifyingContract: accepted.asset,
  },
  types: {
    TransferWithAuthorization: [
      { name: 'from', type: 'address' },
      { name: 'to', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'validAfter', type: 'uint256' },
      { name: 'validBefore', type: 'uint256' },
      { name: 'nonce', type: 'bytes32' },
    ],
  },
  primaryType: 'TransferWithAuthorization',
  message: authorization,
})

// Step 3: repeat the same request with the header X-PAYMENT. The answer has the data, X-PAYMENT-RESPONSE and a cookie.
const payment = { x402Version: 2, accepted, payload: { signature, authorization } }
const header = Buffer.from(JSON.stringify(payment)).toString('base64')
const paid = await fetch(url, { headers: { 'X-PAYMENT': header } })
const receipt = paid.headers.get('X-PAYMENT-RESPONSE')
const [cookie = ''] = paid.headers.getSetCookie()

// A call that presents the cookie within one hour skips the facilitator.
const again = await fetch(url, { headers: { Cookie: cookie.split(';')[0] } })

console.log(
  JSON.stringify({
    first: { status: first.status, challenge },
    paid: { status: paid.status, data: await paid.json(), receipt: receipt && decode(receipt), cookie },
    again: {
      status: again.status,
      data: await again.json(),
      receipt: again.headers.get('X-PAYMENT-RESPONSE'),
    },
  }),
)
