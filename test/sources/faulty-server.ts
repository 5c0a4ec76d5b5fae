import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

export type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** Starts a server on a free port that plays scripted answers, one per request. The last answer repeats. */
export async function startFaultyServer() {
  let script: Answer[] = []
  const requests: { atMs: number; url: string; headers: IncomingMessage['headers'] }[] = []
  const server = createServer((request, response) => {
    requests.push({ atMs: performance.now(), url: request.url ?? '', headers: request.headers })
    const answer = script.length > 1 ? script.shift()! : script[0]!
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    play: (...answers: Answer[]): void => {
      script = answers
      requests.length = 0
    },
  }
}

export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
