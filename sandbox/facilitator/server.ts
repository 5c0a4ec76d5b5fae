import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { x402Facilitator } from '@x402/core/facilitator'
import { parsePaymentPayload, parsePaymentRequirements } from '@x402/core/schemas'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import type { Logger } from 'pino'
import { NETWORK } from './chain-client.ts'

const MOST_BYTES = 65_536

interface ServerDeps {
  facilitator: x402Facilitator
  /** Resolves once the chain can accept payments. */
  ready: () => Promise<void>
  logger: Logger
}

interface Asked {
  paymentPayload: PaymentPayload
  paymentRequirements: PaymentRequirements
}

/** Serves `GET /supported`, `POST /verify` and `POST /settle`, like any x402 facilitator. */
export function createFacilitatorServer({ facilitator, ready, logger }: ServerDeps): Server {
  async function verify({ paymentPayload, paymentRequirements }: Asked) {
    const result = await facilitator.verify(paymentPayload, paymentRequirements)
    logger.info({ payer: result.payer, refused: result.invalidReason }, 'verified')
    return result
  }

  async function settle({ paymentPayload, paymentRequirements }: Asked) {
    const result = await facilitator.settle(paymentPayload, paymentRequirements)
    const { payer, transaction, errorReason } = result
    logger.info({ payer, transaction, refused: errorReason }, 'settled')
    return result
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    if (path === '/supported' && request.method === 'GET')
      return send(response, 200, facilitator.getSupported())
    if (path !== '/verify' && path !== '/settle') return send(response, 404, { error: 'not found' })
    if (request.method !== 'POST') return send(response, 405, { error: 'POST only' })
    const asked = parse(await read(request))
    if (asked === null)
      return send(
        response,
        400,
        failure(path, 'invalid_payload', 'the body must hold paymentPayload and paymentRequirements'),
      )
    try {
      await ready()
      send(response, 200, await (path === '/verify' ? verify(asked) : settle(asked)))
    } catch (error) {
      const { message } = error as Error
      logger.warn({ err: { message } }, `${path.slice(1)} failed`)
      send(response, 500, failure(path, `unexpected_${path.slice(1)}_error`, message))
    }
  }

  return createServer((request, response) => {
    answer(request, response).catch((error: Error) => {
      logger.warn({ err: { message: error.message } }, 'no answer')
      response.destroy()
    })
  })
}

/** Reads the body; empty if it is larger than any payment. */
async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes <= MOST_BYTES) parts.push(part)
  }
  return bytes <= MOST_BYTES ? Buffer.concat(parts).toString() : ''
}

function parse(body: string): Asked | null {
  try {
    const asked = JSON.parse(body) as Asked
    const isPayment = parsePaymentPayload(asked.paymentPayload).success
    return isPayment && parsePaymentRequirements(asked.paymentRequirements).success ? asked : null
  } catch {
    return null
  }
}

function failure(path: '/verify' | '/settle', reason: string, message: string) {
  if (path === '/verify') return { isValid: false, invalidReason: reason, invalidMessage: message }
  return {
    success: false,
    errorReason: reason,
    errorMessage: message,
    transaction: '',
    network: NETWORK.v2,
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
