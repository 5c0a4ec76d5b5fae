import { openApiDocument, type OpenApiDocument, type Operation, type Parameter } from '../../api/openapi.ts'
import type { Route } from '../../api/route.ts'
import type { PagesOptions } from './pages.ts'

const text = (description: string) => ({ description, schema: { type: 'string' } })

const HEADERS = {
  'PAYMENT-REQUIRED': text('What the call costs: base64 of JSON, version 2 of x402'),
  'X-PAYMENT-RESPONSE': text('Receipt: base64 of JSON with success, transaction, network and payer'),
  'PAYMENT-RESPONSE': text('The same'),
  'Set-Cookie': text(
    '`auth_token`: for an hour calls of this price or below need no payment. Not with an answer that is given again',
  ),
}
const paymentHeader = (name: string, description: string): Parameter => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', contentEncoding: 'base64' },
})
/** A share token in an address would go to the facilitator and into logs. */
const ONLY_HEADERS = new Set(['shareToken', 'passcode'])
const KEPT_ERRORS = new Set(['400', '403', '404', '409', '429', '431', '500', '503'])

/** The published description (OpenAPI 3.1) of the gateway's own paths. */
export function gatewayOpenApi({ routes, publicUrl, pricing }: PagesOptions): OpenApiDocument {
  const document = openApiDocument(routes)
  const { securitySchemes: _, ...components } = document.components as {
    securitySchemes: unknown
    headers: Record<string, unknown>
    schemas: Record<string, unknown>
    responses: Record<string, unknown>
  }
  const { 'X-Request-Id': id, 'X-Data-Source': source, 'X-Data-As-Of': asOf } = components.headers
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
        'Crypto market and wallet data, paid per call in USDC on Base by x402 (versions 1 and 2). No key, no account; what is no answer with status 200 costs nothing.',
    },
    servers: [{ url: publicUrl }],
    components: {
      ...components,
      headers: { ...HEADERS, 'X-Request-Id': id, 'X-Data-Source': source, 'X-Data-As-Of': asOf },
      schemas: { ...components.schemas, PaymentRequired: CHALLENGE },
      responses: { ...components.responses, PaymentRequired: PAYMENT_REQUIRED },
    },
  }
}

function operation(of: Operation, route: Route, multiplied: boolean): Operation & Record<string, unknown> {
  const perItem = multiplied && route.multiplied ? ' for each network or wallet named, more for `all`' : ''
  const errors = Object.entries(of.responses).filter(([status]) => KEPT_ERRORS.has(status))
  const success = of.responses['200'] as Record<string, unknown>
  const names = ['X-Request-Id', 'X-Data-Source', 'X-Data-As-Of', ...Object.keys(HEADERS).slice(1)]
  const headers = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
  return {
    ...of,
    description: [route.description, `Costs ${route.x402} USDC${perItem}.`].filter(Boolean).join('\n\n'),
    security: [],
    parameters: [
      ...of.parameters
        .filter((parameter) => parameter.in !== 'query' || !ONLY_HEADERS.has(parameter.name))
        .map((parameter) => (parameter.name === 'sharetoken' ? { ...parameter, required: true } : parameter)),
      paymentHeader('X-PAYMENT', 'The signed payment, version 1 or 2 of x402'),
      paymentHeader('PAYMENT-SIGNATURE', 'The same, under the name of version 2'),
    ],
    responses: {
      '200': { ...success, headers },
      ...Object.fromEntries(errors),
      '402': { $ref: '#/components/responses/PaymentRequired' },
      // Of any call that is paid for twice at the same time.
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
      description: '`Payment required`, the parameters that are required, or what is wrong with the payment',
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
    'Not paid for, or not with this payment: version 1 of x402 in the body, version 2 in the header',
  headers: { 'PAYMENT-REQUIRED': { $ref: '#/components/headers/PAYMENT-REQUIRED' } },
  content: { 'application/json': { schema: { $ref: '#/components/schemas/PaymentRequired' } } },
}
