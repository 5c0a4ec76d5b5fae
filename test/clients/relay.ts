import { createServer } from 'node:http'
import { once } from 'node:events'

export interface Relayed {
  headers: Record<string, string>
  body: string
  status: number
}

/** Passes requests on to a receiver, and keeps them. */
export async function startRelay({ port, to }: { port: number; to: string }) {
  const got: Relayed[] = []
  let toFail = 0
  const server = createServer((request, response) => {
    void (async () => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part as Buffer)
      const body = Buffer.concat(parts).toString()
      const headers = Object.fromEntries(
        Object.entries(request.headers).filter(([name]) => /^(webhook-|content-type)/.test(name)),
      ) as Record<string, string>
      const status = await fetch(to, { method: 'POST', headers, body }).then(
        (answer) => answer.status,
        () => 502,
      )
      got.push({ headers, body, status })
      response.writeHead(toFail-- > 0 ? 500 : status).end()
    })()
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${port}`,
    got,
    /** Has the sender of the next request believe that the receiver failed. */
    failNext: (): void => void (toFail = 1),
    stop: async (): Promise<void> => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
