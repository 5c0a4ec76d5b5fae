import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import { testDatabase } from '../setup/database.ts'
import { address } from '../setup/wallet-factories.ts'
import { documentedProgram } from './documented-programs.ts'
import { startEventsWorld } from './events-world.ts'

const database = await testDatabase()
const world = await startEventsWorld(database)
afterAll(world.close)
const { error } = spawnSync('python3', ['--version'])
if (error) console.log('skipped: python3 is missing, which runs the program of docs/events.md')
const page = 'docs/events.md'

describe.each([
  {
    name: 'of the TypeScript client',
    client: documentedProgram({ page, kind: 'ts', program: process.execPath }),
    isMissing: false,
    n: 1,
  },
  {
    name: "of Python's standard library",
    client: documentedProgram({ page, kind: 'python', program: 'python3' }),
    isMissing: error !== undefined,
    n: 2,
  },
])('the program of docs/events.md, $name', ({ client, isMissing, n }) => {
  test.skipIf(isMissing)(
    'gets every event once, also over connections that break before and after the first',
    async () => {
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
    },
  )
})

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
