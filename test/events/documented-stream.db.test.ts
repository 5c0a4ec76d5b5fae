import { spawnSync } from 'node:child_process'
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
  test.skipIf(isMissing)('gets every event once, also over a broken connection', async () => {
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
    client.start({ API: `http://127.0.0.1:${api.port}/v1`, KEY: key })
    // Its stream begins with what happens once it is open.
    await expect
      .poll(async () => {
        await happen(wallet.walletId)
        return client.printed.length
      })
      .toBeGreaterThan(0)
    api.app.server.closeAllConnections()
    await happen(wallet.walletId, { times: 60 })
    const last = Number(world.newest())
    await expect.poll(() => amounts().at(-1)).toBe(last)
    const first = amounts()[0]!
    expect(amounts()).toEqual(Array.from({ length: last - first + 1 }, (_, i) => first + i))
  })
})
