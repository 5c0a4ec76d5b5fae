import net from 'node:net'
import type { TestGateway } from '../setup/gateway.ts'

interface RawRequest {
  method?: string
  /** Target in the request line, sent unchanged. */
  target: string
  /** Header lines. A Host is added if there is none. */
  headers?: string[]
}

/** Sends a raw request that fetch would normalise. Returns status, headers in lower case and body. */
export function sendRaw(
  gateway: Pick<TestGateway, 'port'>,
  { method = 'GET', target, headers = [] }: RawRequest,
) {
  const host = headers.some((line) => /^host:/i.test(line)) ? [] : ['Host: x']
  const lines = [`${method} ${target} HTTP/1.1`, ...host, ...headers, 'Connection: close', '', '']
  return new Promise<{ status: number; headers: Record<string, string>; body: string }>((resolve, reject) => {
    const socket = net.connect(gateway.port, '127.0.0.1', () => socket.write(lines.join('\r\n')))
    let text = ''
    socket.setEncoding('utf8').on('data', (part) => (text += part))
    socket.on('error', reject).on('close', () => {
      const [head = '', ...body] = text.split('\r\n\r\n')
      const [status = '', ...rest] = head.split('\r\n')
      const pairs = rest.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string])
      resolve({
        status: Number(status.split(' ')[1]),
        headers: Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value])),
        body: body.join('\r\n\r\n'),
      })
    })
  })
}
