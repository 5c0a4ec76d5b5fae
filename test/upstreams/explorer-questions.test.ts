import { expect, test } from 'vitest'
import { askSource } from '../../activities/ask-source.ts'
import { readIngestConfig } from '../../activities/config.ts'
import { NotInPlan, SourceUnavailable } from '../../activities/errors.ts'
import { stopLater } from './actors.ts'
import { BLOCKSCOUT_KEY, startBlockscoutPro } from './blockscout.ts'
import { createClock } from './double.ts'
import { ETHERSCAN_KEY, startEtherscan } from './etherscan.ts'
import { createMemoryChain } from './nodes/chain.ts'
import { startRoutescan } from './routescan.ts'
import { clientOf } from './small/client-of.ts'

const clock = createClock()
const now = () => new Date(clock.now())
const chains = [createMemoryChain({ chainId: 1 }), createMemoryChain({ chainId: 8453 })]

const EXPLORERS = {
  etherscan: async () => {
    const double = stopLater(await startEtherscan({ clock, chains }))
    return { double, url: double.apiUrl, key: ETHERSCAN_KEY }
  },
  blockscout: async () => {
    const double = stopLater(await startBlockscoutPro({ clock, chains }))
    return { double, url: double.url, key: BLOCKSCOUT_KEY }
  },
  routescan: async () => {
    const double = stopLater(await startRoutescan({ clock, chains }))
    return { double, url: double.networkUrl, key: '' }
  },
}
type Name = keyof typeof EXPLORERS
const NAMES = Object.keys(EXPLORERS) as Name[]

function ask(name: Name, { url, key }: { url: string; key: string }): Promise<boolean> {
  const variable = name.toUpperCase()
  const config = readIngestConfig({ SOURCES: 'live', [`${variable}_URL`]: url, [`${variable}_API_KEY`]: key })
  return askSource(name, { http: clientOf(name, url).http, config, now })
}

test.each(NAMES)('one request shows whether %s answers', async (name) => {
  const { double, ...at } = await EXPLORERS[name]()
  expect(await ask(name, at)).toBe(true)
  expect(double.asked).toHaveLength(1)
  expect(double.refused).toEqual([])
})

test.each([
  ['etherscan', 'Missing/Invalid API Key'],
  ['blockscout', 'Invalid API key'],
] as const)('%s refuses a wrong key in its own words, once', async (name, reason) => {
  const { double, url } = await EXPLORERS[name]()
  const asked = ask(name, { url, key: 'a-wrong-key' })
  await expect(asked).rejects.toThrow(NotInPlan)
  await expect(asked).rejects.toThrow(reason)
  expect(double.asked).toHaveLength(1)
})

test.each(NAMES)('%s that is down is not taken for a refusal', async (name) => {
  const { double, ...at } = await EXPLORERS[name]()
  await double.stop()
  await expect(ask(name, at)).rejects.toThrow(SourceUnavailable)
})
