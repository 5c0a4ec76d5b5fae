import { createServer, type IncomingMessage, type Server } from 'node:http'
import { signatureHeaders } from '../db/values/webhook-signature.ts'

/** Older requests are refused, as by the libraries of Standard Webhooks. */
const TOLERANCE_MS = 5 * 60_000

/** A receiver of webhooks that prints each request and whether its signature is right. It does not listen yet. */
export function createWebhookReceiver(options: { secret: string; print: (line: string) => void }): Server {
  const { secret, print } = options
  return createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts).toString()
      const isGenuine = verifies(request, body, secret)
      print(isGenuine ? body : `refused: the signature is wrong or old. ${body}`)
      response.writeHead(isGenuine ? 204 : 400).end()
    })
  })
}

function verifies({ headers }: IncomingMessage, body: string, secret: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': given } = headers
  if (typeof id !== 'string' || typeof given !== 'string') return false
  const at = new Date(Number(timestamp) * 1_000)
  if (!(Math.abs(Date.now() - at.getTime()) <= TOLERANCE_MS)) return false
  const wanted = signatureHeaders({ id, body, at, secrets: [secret] })['webhook-signature']!
  return given.split(' ').includes(wanted)
}
