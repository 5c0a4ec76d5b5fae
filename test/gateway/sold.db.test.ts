import { afterAll, describe, expect, test } from 'vitest'
import type { routes } from '../../api/routes.ts'
import { readSoldRoutes } from '../../api/sold-routes.ts'
import { testDatabase } from '../setup/database.ts'
import { startFacilitator } from '../setup/facilitator.ts'
import { startGateway } from '../setup/gateway.ts'
import { challengeOf, pay } from './pay.ts'

// What is sold: the price list of the contract, and what an operator adds.

const database = await testDatabase()
const facilitator = await startFacilitator()
afterAll(() => facilitator.stop())

const PRICE_LIST: Record<string, string> = {
  '/coins': '0.001',
  '/coins/{coinId}': '0.001',
  '/coins/price/avg': '0.001',
  '/coins/price/exchange': '0.001',
  '/coins/{coinId}/charts': '0.001',
  '/markets': '0.001',
  '/tickers/exchanges': '0.001',
  '/tickers/markets': '0.001',
  '/fiats': '0.001',
  '/currencies': '0.001',
  '/news/sources': '0.001',
  '/news/type/{type}': '0.001',
  '/news/{id}': '0.001',
  '/news': '0.001',
  '/insights/btc-dominance': '0.001',
  '/insights/fear-and-greed/chart': '0.001',
  '/insights/fear-and-greed': '0.001',
  '/insights/rainbow-chart/{coinId}': '0.001',
  '/wallet/blockchains': '0.001',
  '/wallet/status': '0.001',
  '/exchange/support': '0.001',
  '/portfolio/value': '0.001',
  '/portfolio/coins': '0.001',
  '/portfolio/chart': '0.001',
  '/portfolio/transactions': '0.001',
  '/wallet/transactions': '0.003',
  '/wallet/balance': '0.004',
  '/wallet/balance/many': '0.004',
  '/wallet/charts': '0.004',
  '/wallet/chart': '0.004',
  '/wallet/defi': '0.04',
  '/portfolio/defi': '0.04',
  '/portfolio/snapshot/items': '0.05',
}

const pricesOf = (sold: typeof routes) =>
  Object.fromEntries(sold.flatMap(({ path, x402 }) => (x402 === null ? [] : [[path, x402]])))

describe('what the gateway sells', () => {
  test('by default it is the price list and nothing else', () => {
    expect(pricesOf(readSoldRoutes({}))).toEqual(PRICE_LIST)
    expect(readSoldRoutes({}).filter(({ method, x402 }) => method !== 'GET' && x402 !== null)).toEqual([])
  })
  test('X402_ALSO_SELLS adds to it', () => {
    const sold = readSoldRoutes({ X402_ALSO_SELLS: '/nft/trending=0.001,/token-risks=2.5' })
    expect(pricesOf(sold)).toEqual({ ...PRICE_LIST, '/nft/trending': '0.001', '/token-risks': '2.5' })
  })
  test.each([
    ['/nowhere=0.001', 'a path that does not exist'],
    ['/coins=0.002', 'a path of the price list'],
    ['/portfolio/wallet=1', 'a path without GET'],
    ['/usage/credits=1', 'an answer about an account'],
    ['/exchange/transactions=1', 'an answer about an account'],
    ['/portfolio/list=1', 'an answer about an account'],
    ['/status=1', 'the status'],
    ['/nft/trending=0.0001', 'less than the smallest payment'],
    ['/nft/trending=0.0010001', 'more than six decimals'],
    ['/nft/trending', 'no price'],
    ['nft/trending=1', 'no path'],
  ])('%s is refused: %s', (given) =>
    expect(() => readSoldRoutes({ X402_ALSO_SELLS: given })).toThrow('  X402_ALSO_SELLS '),
  )
})

test('an added call has its price, is listed and is paid for as any other', async () => {
  const gateway = await startGateway({
    database,
    routes: readSoldRoutes({ X402_ALSO_SELLS: '/coins/charts=0.002' }),
    facilitatorUrl: facilitator.url,
    rpcUrl: facilitator.rpcUrl,
  })
  const call = '/coins/charts?period=24h&coinIds=bitcoin'
  expect((await challengeOf(gateway, call)).accepts[0]!.amount).toBe('2000')
  const { resources } = (await (await gateway.get('/.well-known/x402')).json()) as { resources: string[] }
  expect(resources.filter((url) => url.endsWith('/coins/charts'))).toHaveLength(1)
  const { answer } = await pay(gateway, call, { payer: await facilitator.newPayer() })
  expect(answer).toMatchObject({ status: 200, receipt: { success: true } })
  expect((await gateway.get('/nft/trending')).status).toBe(404)
})
