import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createRpcTransport } from '../../activities/nodes/rpc-transport.ts'

/** What comes of a call to a node that answers with this: a result, or the name of the error. */
async function outcome(status: number, text: string): Promise<unknown> {
  const server = createServer((_, response) => response.writeHead(status).end(text))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const send = createRpcTransport({ url, source: 'test', timeoutMs: 30_000 })
  try {
    const [answer] = await send([{ method: 'eth_chainId', params: [] }])
    return 'error' in answer! ? answer.error.name : answer!.result
  } catch (error) {
    return (error as Error).name
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

test.each<[status: number, name: string]>([
  [200, 'SourceUnavailable'],
  [399, 'SourceUnavailable'],
  [400, 'SourceRejected'],
  [404, 'SourceRejected'],
  [408, 'SourceUnavailable'],
  [500, 'SourceUnavailable'],
  [502, 'SourceUnavailable'],
])('whether a page in place of an answer is final depends on its status: %d', async (status, name) => {
  expect(await outcome(status, '<html>a gateway</html>')).toBe(name)
})

test.each<[error: object | undefined, name: string]>([
  [{ code: -32603, message: 'internal' }, 'SourceUnavailable'],
  [{ code: -1, message: 'request timed out' }, 'SourceUnavailable'],
  [{ message: 'try again' }, 'SourceUnavailable'],
  [{ code: -1, message: 'odd' }, 'SourceRejected'],
  [{ code: -1 }, 'SourceRejected'],
  // The program ran: it would do so again.
  [{ code: -32603, message: 'execution reverted' }, 'SourceRejected'],
  [{ code: -1, message: 'execution reverted: try again' }, 'SourceRejected'],
  [{}, 'SourceUnavailable'],
  [undefined, 'SourceUnavailable'],
])('an error is final unless it says that it will pass: %j', async (error, name) => {
  expect(await outcome(200, JSON.stringify({ id: 1, error }))).toBe(name)
})

test('an answer is its result, which may be null', async () => {
  expect(await outcome(200, '{"id": 1, "result": "0x1"}')).toBe('0x1')
  expect(await outcome(200, '{"id": 1, "result": null}')).toBeNull()
})
