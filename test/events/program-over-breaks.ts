import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, expect } from 'vitest'
import { address } from '../setup/wallet-factories.ts'
import type { startEventsWorld } from './events-world.ts'
import type { startedProgram } from './started-program.ts'

interface Watched {
  world: Awaited<ReturnType<typeof startEventsWorld>>
  client: ReturnType<typeof startedProgram>
  /** Of the wallet, which nobody else has. */
  n: number
}

/** Has a program read the events of a wallet over connections that break before and after the first event. */
export async function expectEachEventOnce({ world, client, n }: Watched): Promise<void> {
  const { api, happen } = world
  const wallet = await world.newWallet(address(n))
  const { accountId, key } = await api.newAccount({ plan: 'enterprise' })
  await world.connect(accountId, wallet.address)
  const amounts = () =>
    client.printed.map((line) => {
      const [, type, event] = /^(\S+) (.*)$/.exec(line)!
      expect(type).toBe('wallet.balance')
      return Number((JSON.parse(event!) as { data: { amount: string } }).data.amount)
    })
  const relay = await relayThatBreaksOff(api.port, () => happen(wallet.walletId))
  client.start({ API: `${relay.url}/v1`, KEY: key })
  await relay.broken
  const missed = Number(world.newest())
  await expect.poll(amounts).toEqual([missed])
  api.app.server.closeAllConnections()
  await happen(wallet.walletId, { times: 60 })
  const last = Number(world.newest())
  await expect.poll(() => amounts().at(-1)).toBe(last)
  expect(amounts()).toEqual(Array.from({ length: last - missed + 1 }, (_, i) => missed + i))
}

/** Passes streams on. The first breaks off after its first block, once `meanwhile` is done. */
async function relayThatBreaksOff(port: number, meanwhile: () => Promise<unknown>) {
  const broken = Promise.withResolvers<void>()
  let opened = 0
  const server = createServer((request, response) => {
    void (async () => {
      const isFirst = ++opened === 1
      const headers = { ...(request.headers as Record<string, string>), host: `127.0.0.1:${port}` }
      const answer = await fetch(`http://127.0.0.1:${port}${request.url}`, { headers })
      response.writeHead(answer.status, { 'content-type': 'text/event-stream' })
      const stream = Readable.fromWeb(answer.body!)
      stream.on('error', () => response.destroy())
      response.on('close', () => stream.destroy())
      if (!isFirst) return void stream.pipe(response)
      for await (const part of stream) {
        response.write(part)
        if (!String(part).includes('\n\n')) continue
        await meanwhile()
        break
      }
      response.destroy()
      broken.resolve()
    })().catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, broken: broken.promise }
}
