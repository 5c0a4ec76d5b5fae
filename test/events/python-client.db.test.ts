import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, test } from 'vitest'
import { testDatabase } from '../setup/database.ts'
import { address } from '../setup/wallet-factories.ts'
import { startEventsWorld } from './events-world.ts'

const database = await testDatabase()
const world = await startEventsWorld(database)
afterAll(world.close)
const { error } = spawnSync('python3', ['--version'])
if (error) console.log('skipped: python3 is missing, which runs test/events/sse_client.py')

test.skipIf(error !== undefined)(
  "a client of Python's standard library gets every event, also over a broken connection",
  async () => {
    const { api, happen } = world
    const wallet = await world.newWallet(address(1))
    const { accountId, key } = await api.newAccount()
    await world.connect(accountId, wallet.address)
    const url = `http://127.0.0.1:${api.port}/v1/events/stream`
    const client = spawn('python3', [join(import.meta.dirname, 'sse_client.py'), url, key])
    const lines = createInterface({ input: client.stdout })[Symbol.asyncIterator]()
    const next = async () => JSON.parse((await lines.next()).value as string) as Record<string, unknown>
    const amounts = async (n: number) => {
      const found: unknown[] = []
      while (found.length < n) {
        const line = await next()
        if (line['data']) found.push((line['data'] as { amount: string }).amount)
      }
      return found
    }
    try {
      expect(await next()).toEqual({ opened: 200 })
      await happen(wallet.walletId, { times: 3 })
      expect(await amounts(3)).toEqual(['1', '2', '3'])
      api.app.server.closeAllConnections()
      await happen(wallet.walletId, { times: 60 })
      expect(await amounts(60)).toEqual(Array.from({ length: 60 }, (_, i) => String(i + 4)))
    } finally {
      client.kill()
    }
  },
)
