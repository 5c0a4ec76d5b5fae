import { createServer, type IncomingMessage, request as send, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PrivateKeyAccount } from 'viem/accounts'
import { type Challenge, decode, encode, paymentV1, paymentV2, signTransfer } from '../gateway/pay.ts'

const MAX_HEADERS = 1_048_576

interface Answer {
  status: number
  rawHeaders: string[]
  headers: IncomingMessage['headers']
  body: Buffer
}

/**
 * A proxy in front of the gateway that pays for each call that needs it, with x402 version 1 and 2 in turn.
 * Requests with their own payment pass unchanged.
 */
export async function startPayingProxy(options: { port: number; payer: PrivateKeyAccount }) {
  const { port, payer } = options
  /** Paths that were paid for and answered. */
  const paid: string[] = []

  function pass(request: IncomingMessage, body: Buffer, extra: string[] = []): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const { method, url: path } = request
      const headers = [...request.rawHeaders, ...extra]
      const outgoing = send(
        { host: '127.0.0.1', port, method, path, headers, maxHeaderSize: MAX_HEADERS },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () => {
            const { statusCode: status = 0, rawHeaders, headers } = response
            resolve({ status, rawHeaders, headers, body: Buffer.concat(chunks) })
          })
        },
      )
      outgoing.on('error', reject).end(body)
    })
  }

  async function paymentOf(challenge: Challenge): Promise<string> {
    const payload = await signTransfer({ challenge, payer })
    return encode(paid.length % 2 === 0 ? paymentV2(challenge, payload) : paymentV1(payload))
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    let answered = await pass(request, body)
    const hasPayment = 'x-payment' in request.headers || 'payment-signature' in request.headers
    if (answered.status === 402 && !hasPayment) {
      const challenge = decode(answered.headers['payment-required'] as string) as Challenge
      answered = await pass(request, body, ['X-PAYMENT', await paymentOf(challenge)])
      if (answered.status === 200) paid.push(request.url!.split('?', 1)[0]!)
    }
    response.writeHead(answered.status, answered.rawHeaders).end(answered.body)
  }

  // A large limit, because the gateway must refuse oversized headers itself.
  const server = createServer({ maxHeaderSize: MAX_HEADERS }, (request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paid, stop }
}
