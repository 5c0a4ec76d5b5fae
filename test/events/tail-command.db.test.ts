import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { runCommand } from '../cli/run-command.ts'
import { testDatabase } from '../setup/database.ts'
import { startEventsWorld } from './events-world.ts'

const database = await testDatabase()
const world = await startEventsWorld(database)
beforeAll(() => vi.stubEnv('DATABASE_URL', database.ownerUrl))
afterEach(() => vi.restoreAllMocks())
afterAll(async () => {
  vi.unstubAllEnvs()
  await world.close()
})

async function tail(...args: string[]): Promise<string[]> {
  const printed: string[] = []
  vi.spyOn(console, 'log').mockImplementation((line) => void printed.push(line as string))
  await runCommand('events', 'tail', ...args)
  vi.restoreAllMocks()
  return printed
}

test('"events tail" prints the newest events, of all accounts or of one', async () => {
  const { api, ping } = world
  const [one, two] = [await api.newAccount(), await api.newAccount()]
  expect(await tail()).toEqual([])
  await ping(one.accountId)
  await ping(two.accountId)
  await ping(one.accountId)
  expect(await tail()).toHaveLength(3)
  const lines = await tail('--limit', '2')
  expect(lines.map((line) => line.includes(one.accountId))).toEqual([false, true])
  expect(lines[0]).toMatch(/^\d+ {2}\S+Z {2}\S{36} {2}test\.ping$/)
  const own = await tail('--account', two.accountId, '--json')
  expect(own.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual(['test.ping'])
  await expect(tail('--account', 'x')).rejects.toThrow('--account takes the id of an account')
})
