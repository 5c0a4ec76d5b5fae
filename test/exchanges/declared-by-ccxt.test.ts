import ccxt, { type Exchange } from 'ccxt'
import { expect, test } from 'vitest'
import type { ExchangeSpec } from '../../activities/exchanges/exchange.ts'
import { EXCHANGE_SPECS } from '../../activities/exchanges/exchanges.ts'

const specs = EXCHANGE_SPECS.map((spec) => [spec.source.name, spec] as const)
const classOf = ({ source: { name }, options }: ExchangeSpec): Exchange =>
  new ccxt[name as 'binance']({ options })

/** Its nonces need only rise, so they may be of another clock, although its class can correct them. */
const WITHOUT_A_WINDOW = 'kraken'

test.each(specs)('%s gets the offset of its clock if its class signs times', (name, spec) => {
  const client = classOf(spec)
  const before = Number(client.nonce())
  client.options['timeDifference'] = 1_000_000_000
  const usesOffset = Math.abs(before - Number(client.nonce())) > 500_000
  expect(spec.signsTime).toBe(usesOffset && name !== WITHOUT_A_WINDOW)
})

type Endpoints = { [name: string]: Endpoints | string[] | Record<string, unknown> }

/** Paths of what a class can ask without a key, with its names for the parameters in braces. */
function publicPaths(client: Exchange): string[] {
  function pathOf(endpoint: string, access: string[]): string[] {
    try {
      const { url } = client.sign(endpoint, access.length === 1 ? access[0] : access, 'GET', {})
      return [decodeURI(new URL(url).pathname)]
    } catch {
      return []
    }
  }
  const below = (endpoints: Endpoints, access: string[]): string[] =>
    Object.entries(endpoints).flatMap(([name, found]) => {
      if (name === 'get')
        return (Array.isArray(found) ? found : Object.keys(found)).flatMap((path) => pathOf(path, access))
      return typeof found === 'object' && !Array.isArray(found)
        ? below(found as Endpoints, [...access, name])
        : []
    })
  return below(client.api as Endpoints, [])
}

test.each(specs)('%s is reached by a public endpoint of its class', (_name, spec) => {
  const patterns = publicPaths(classOf(spec)).map((path) => path.replace(/\{\w+\}/g, '[^/]+'))
  expect(patterns.some((pattern) => new RegExp(`^${pattern}$`).test(spec.probe))).toBe(true)
})
