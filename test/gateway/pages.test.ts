import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { gatewayPages } from '../../gateway/offer/pages.ts'

const priced = routes.filter(({ x402 }) => x402 !== null)
const options = { routes: priced, publicUrl: 'https://pay.example.org', payTo: `0x${'9a'.repeat(20)}` }
const pageOf = (url: string, pricing: 'flat' | 'multiplied' = 'flat') =>
  JSON.parse(gatewayPages({ ...options, pricing }).find((page) => page.url === url)!.body)

test.each(['flat', 'multiplied'] as const)(
  'openapi.json is valid OpenAPI 3.1 (%s prices)',
  async (pricing) => {
    const document = pageOf('/openapi.json', pricing)
    expect(await new Validator().validate(structuredClone(document))).toMatchObject({ valid: true })
    expect(Object.keys(document.paths).sort()).toEqual(priced.map(({ path }) => path).sort())
    for (const operations of Object.values<any>(document.paths)) {
      expect(Object.keys(operations)).toEqual(['get'])
      const { responses, parameters, security, description } = operations.get
      expect(Object.keys(responses)).toEqual(
        expect.arrayContaining(['200', '400', '402', '409', '429', '503']),
      )
      expect(responses).not.toHaveProperty('401')
      expect(security).toEqual([])
      expect(description).toMatch(/Costs 0\.0\d+ USDC/)
      expect(description).not.toMatch(/credits/)
      const names = parameters.map((one: any) => `${one.in} ${one.name}`)
      expect(names).toEqual(expect.arrayContaining(['header X-PAYMENT', 'header PAYMENT-SIGNATURE']))
      expect(names).not.toContain('query shareToken')
    }
    const shared = document.paths['/portfolio/value'].get.parameters
    expect(shared.find((one: any) => one.name === 'sharetoken')).toMatchObject({
      in: 'header',
      required: true,
    })
  },
)

test('the discovery document lists every resource with price and schemas', () => {
  const document = pageOf('/.well-known/x402')
  expect(document).toMatchObject({
    x402Version: 2,
    version: 1,
    openapi: 'https://pay.example.org/openapi.json',
  })
  expect(document.resources).toEqual(priced.map(({ path }) => `https://pay.example.org${path}`))
  expect(document.items.map((item: any) => item.resource)).toEqual(document.resources)
  const defi = document.items.find((item: any) => item.resource.endsWith('/wallet/defi'))
  expect(defi).toMatchObject({
    type: 'http',
    x402Version: 2,
    mimeType: 'application/json',
    accepts: [{ scheme: 'exact', network: 'eip155:8453', amount: '40000', payTo: options.payTo }],
    metadata: {
      input: {
        method: 'GET',
        parameters: expect.arrayContaining([expect.objectContaining({ name: 'address' })]),
      },
      output: { schema: { type: 'object' } },
    },
  })
})
