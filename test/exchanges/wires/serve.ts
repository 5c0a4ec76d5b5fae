import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AccountRow, Params, Wire } from './wire.ts'

/** Serves the exchanges, each below its name. What a client may not ask is noted in `refusals` and answered with 400. */
export async function serveWires(wires: Record<string, Wire>) {
  const rows = new Map<string, AccountRow[]>()
  const refusals: string[] = []
  let requests = 0
  const server = createServer((request, response) => {
    void answer(request).then(({ status, body }) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    )
  })

  async function answer(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
    requests++
    const url = new URL(request.url ?? '/', 'http://exchange')
    const [, name = '', path = ''] = /^\/([a-z]+)(\/.*)$/.exec(url.pathname) ?? []
    const list = wires[name]?.lists.find((one) => one.path.test(path))
    try {
      if (!list) throw new Error(`no such path: ${url.pathname}`)
      const known = (rows.get(name) ?? []).filter(({ kind }) => list.kinds.includes(kind))
      const found = list.select(known, {
        ...Object.fromEntries(url.searchParams),
        ...(await sentParams(request)),
      })
      return { status: 200, body: list.body(found.map(list.row)) }
    } catch (error) {
      refusals.push(`${name}: ${String(error)}`)
      return { status: 400, body: { error: String(error) } }
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    rows,
    refusals,
    requests: () => requests,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Parameters in a form, in JSON, in JSON below `params`, or in a signed header. */
async function sentParams(request: IncomingMessage): Promise<Params> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  const header = request.headers['x-gemini-payload']
  if (typeof header === 'string') return texts(JSON.parse(Buffer.from(header, 'base64').toString()) as object)
  if (!body.startsWith('{')) return Object.fromEntries(new URLSearchParams(body))
  const sent = JSON.parse(body) as Record<string, unknown>
  return texts((sent['params'] ?? sent) as object)
}

const texts = (sent: object): Params =>
  Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, String(value)]))
