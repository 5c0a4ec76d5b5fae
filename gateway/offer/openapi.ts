import { openApiDocument, type OpenApiDocument, type Operation, type Parameter } from '../../api/openapi.ts'
import type { Route } from '../../api/route.ts'
import { WALLET_EXAMPLE } from '../../api/params.ts'
import type { PagesOptions } from './pages.ts'

const text = (description: string) => ({ description, schema: { type: 'string' } })

const HEADERS = {
  'PAYMENT-REQUIRED': text('Price of the call: base64-encoded JSON of x402 version 2'),
  'X-PAYMENT-RESPONSE': text('Receipt: base64-encoded JSON with success, transaction, network and payer'),
  'PAYMENT-RESPONSE': text('Same value as X-PAYMENT-RESPONSE'),
  'Set-Cookie': text(
    '`auth_token`: for one hour, calls at this price or below need no payment. Not set when a stored answer is repeated',
  ),
}
/** Headers that the gateway's answers have in common with the API's. */
const SHARED_HEADERS = ['X-Request-Id', 'X-Data-Source', 'X-Data-As-Of', 'X-Price-As-Of'] as const
const PAYMENT_EXAMPLE = Buffer.from(
  JSON.stringify({
    x402Version: 1,
    scheme: 'exact',
    network: 'base',
    payload: {
      signature: `0x${'5c'.repeat(64)}1b`,
      authorization: {
        from: WALLET_EXAMPLE,
        to: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
        value: '1000',
        validAfter: '1790812740',
        validBefore: '1790812860',
        nonce: `0x${'a7'.repeat(32)}`,
      },
    },
  }),
).toString('base64')
const paymentHeader = (name: string, description: string): Parameter => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', contentEncoding: 'base64' },
  example: PAYMENT_EXAMPLE,
})
/** Only headers carry these: a share token in a URL would reach the facilitator and logs. */
const ONLY_HEADERS = new Set(['shareToken', 'passcode'])
const KEPT_ERRORS = new Set(['400', '403', '404', '409', '429', '431', '500', '503'])

/** OpenAPI 3.1 document of the gateway's paths. */
export function gatewayOpenApi({ routes, publicUrl, pricing }: PagesOptions): OpenApiDocument {
  const document = openApiDocument(routes)
  const { securitySchemes: _, ...components } = document.components as {
    securitySchemes: unknown
    headers: Record<string, unknown>
    schemas: Record<string, unknown>
    responses: Record<string, unknown>
  }
  const shared = Object.fromEntries(SHARED_HEADERS.map((name) => [name, components.headers[name]]))
  for (const route of routes) {
    const operations = document.paths[route.path]!
    operations['get'] = operation(operations['get']!, route, pricing === 'multiplied')
  }
  return {
    ...document,
    info: {
      ...document.info,
      title: 'Sluice gateway',
      description:
        'Crypto market and wallet data, paid per call in USDC on Base with x402 (versions 1 and 2). No API key or account is needed. Only answers with status 200 are charged.',
    },
    servers: [{ url: publicUrl }],
    components: {
      ...components,
      headers: { ...HEADERS, ...shared },
      schemas: { ...components.schemas, PaymentRequired: CHALLENGE },
      responses: { ...components.responses, PaymentRequired: PAYMENT_REQUIRED },
    },
  }
}

function operation(of: Operation, route: Route, multiplied: boolean): Operation & Record<string, unknown> {
  const perItem = multiplied && route.multiplied ? ' for each network or wallet named, more for `all`' : ''
  const errors = Object.entries(of.responses).filter(([status]) => KEPT_ERRORS.has(status))
  const success = of.responses['200'] as Record<string, unknown>
  const names = [...SHARED_HEADERS, ...Object.keys(HEADERS).slice(1)]
  const headers = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
  return {
    ...of,
    description: [route.description, `Costs ${route.x402} USDC${perItem}.`].filter(Boolean).join('\n\n'),
    security: [],
    parameters: [
      ...of.parameters
        .filter((parameter) => parameter.in !== 'query' || !ONLY_HEADERS.has(parameter.name))
        .map((parameter) => (parameter.name === 'sharetoken' ? { ...parameter, required: true } : parameter)),
      paymentHeader('X-PAYMENT', 'Signed payment of x402 version 1 or 2'),
      paymentHeader('PAYMENT-SIGNATURE', 'Same as X-PAYMENT, under the header name of x402 version 2'),
    ],
    responses: {
      '200': { ...success, headers },
      ...Object.fromEntries(errors),
      '402': { $ref: '#/components/responses/PaymentRequired' },
      // Any call returns 409 if two requests present its payment at the same time.
      '409': { $ref: '#/components/responses/Conflict' },
      '429': { $ref: '#/components/responses/TooManyRequests' },
    },
    'x-payment-info': { protocols: ['x402'], pricingMode: multiplied ? 'range' : 'fixed', price: route.x402 },
  }
}

const strings = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]))

const ACCEPTED = {
  ...strings(
    'scheme',
    'network',
    'maxAmountRequired',
    'resource',
    'description',
    'mimeType',
    'payTo',
    'asset',
  ),
  maxTimeoutSeconds: { type: 'integer' },
  extra: { type: 'object', properties: strings('name', 'version'), required: ['name', 'version'] },
}

const CHALLENGE = {
  type: 'object',
  properties: {
    x402Version: { const: 1 },
    error: {
      type: 'string',
      description: '`Payment required`, the missing parameters, or why the payment was refused',
    },
    accepts: {
      type: 'array',
      items: {
        type: 'object',
        properties: ACCEPTED,
        required: Object.keys(ACCEPTED),
        additionalProperties: false,
      },
    },
    statusCode: { const: 402 },
    ...strings('message', 'path'),
    requestId: { type: 'string', format: 'uuid' },
  },
  required: ['x402Version', 'error', 'accepts', 'statusCode', 'message', 'requestId', 'path'],
  additionalProperties: false,
}

const PAYMENT_REQUIRED = {
  description:
    'Payment missing or not accepted. The body holds the x402 version 1 challenge, the header that of version 2',
  headers: { 'PAYMENT-REQUIRED': { $ref: '#/components/headers/PAYMENT-REQUIRED' } },
  content: { 'application/json': { schema: { $ref: '#/components/schemas/PaymentRequired' } } },
}
