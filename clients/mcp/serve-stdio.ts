import { once } from 'node:events'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import type { McpServerFactory, Transport } from '@modelcontextprotocol/server'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'

/** Longer than a call may take. */
const LAST_ANSWERS_MS = 65_000

type Message = Parameters<Transport['send']>[0]
type RequestId = string | number

/**
 * Serves MCP over two streams until the input ends and every request is answered. The transport of the library drops
 * what is still running when the input ends, which clients that write their requests and close lose.
 */
export async function serveStreams(
  factory: McpServerFactory,
  { input, output }: { input: Readable; output: Writable },
): Promise<void> {
  const held = new PassThrough()
  const wire = new StdioServerTransport(held, output)
  const open = new Set<RequestId>()
  const answered = new EventTarget()
  const closed = Promise.withResolvers<void>()
  const forget = (id: RequestId) => {
    open.delete(id)
    answered.dispatchEvent(new Event('answer'))
  }

  const transport: Transport = {
    async start() {
      wire.onmessage = (message) => {
        note(message)
        transport.onmessage?.(message)
      }
      wire.onclose = () => {
        transport.onclose?.()
        closed.resolve()
      }
      wire.onerror = (error) => transport.onerror?.(error)
      await wire.start()
    },
    close: () => wire.close(),
    async send(message) {
      await wire.send(message)
      if ('id' in message && !('method' in message) && message.id !== undefined) forget(message.id)
    },
  }

  /** A request that is cancelled gets no answer, and a subscription is open until its connection ends. */
  function note(message: Message): void {
    if (!('method' in message)) return
    if ('id' in message && message.method !== 'subscriptions/listen') open.add(message.id)
    if (message.method === 'notifications/cancelled') {
      const { requestId } = (message.params ?? {}) as { requestId?: RequestId }
      if (requestId !== undefined) forget(requestId)
    }
  }

  async function lastAnswers(): Promise<void> {
    while (open.size > 0) await once(answered, 'answer')
  }

  serveStdio(factory, { transport })
  input.pipe(held, { end: false })
  await Promise.race([once(input, 'end'), once(input, 'close'), closed.promise])
  // What was read last is on its way to the server.
  await turn()
  await turn()
  await Promise.race([lastAnswers(), closed.promise, sleep(LAST_ANSWERS_MS, undefined, { ref: false })])
  held.end()
  await closed.promise
}
