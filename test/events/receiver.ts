import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll } from 'vitest'

interface Play {
  headers?: Record<string, string>
  delayOf?: (n: number) => number
  before?: () => Promise<void>
}

/** A receiver of events that answers as told: with a status, or by closing the connection. */
export async function startReceiver() {
  let answer: (n: number, seq: number) => number | 'close' = () => 204
  let play: Play = {}
  const got: { headers: IncomingHttpHeaders; body: string }[] = []
  const seqOf = (body: string) => Number((JSON.parse(body) as { seq: string }).seq)
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => void reply(request, response, body))
  })
  async function reply(request: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
    const n = got.push({ headers: request.headers, body }) - 1
    const status = answer(n, seqOf(body))
    await sleep(play.delayOf?.(n) ?? 0)
    await play.before?.()
    if (status === 'close') request.socket.destroy()
    else response.writeHead(status, play.headers).end()
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    got,
    seqs: () => got.map(({ body }) => seqOf(body)),
    /** From now on, by number of the request (from 0) and of the event. Forgets what it got. */
    answer: (how: typeof answer, with_: Play = {}): void => {
      answer = how
      play = with_
      got.length = 0
    },
  }
}
