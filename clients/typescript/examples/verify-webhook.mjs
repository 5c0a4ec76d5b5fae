// WEBHOOK_SECRET=whsec_... node verify-webhook.mjs 8000: an endpoint that trusts only what Sluice signed.
import { createServer } from 'node:http'
import { verifyEvent } from 'sluice-client'

const server = createServer((request, response) => {
  let body = ''
  request.on('data', (part) => (body += part))
  request.on('end', async () => {
    try {
      const event = await verifyEvent({ body, headers: request.headers, secret: process.env.WEBHOOK_SECRET })
      console.log(`${event.type} is from Sluice`)
      response.writeHead(204).end()
    } catch (error) {
      console.log(`refused: ${error.message}`)
      response.writeHead(400).end()
    }
  })
})
server.listen(Number(process.argv[2] ?? 8000), '127.0.0.1', () =>
  console.log(`listening on ${server.address().port}`),
)
