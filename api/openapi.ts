import { pascal, schemaNames, type SchemaNames } from './openapi-components.ts'
import { errorComponents, errorResponses } from './openapi-errors.ts'
import { operationId } from './operation-id.ts'
import { type JsonSchema, toJsonSchema } from './json-schema.ts'
import { READ_SCOPE, WRITE_SCOPE } from './metering/bearer.ts'
import { priceText } from './price-text.ts'
import { type WebhookOperation, webhookOperations } from './openapi-webhooks.ts'
import { givenValues, type RecordedCall, recordedCall } from './recorded-calls.ts'
import type { Route } from './route.ts'
import { aboutTag } from './tags.ts'

export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description: string
  deprecated?: true
  security: Record<string, never[]>[]
  parameters: Parameter[]
  requestBody?: unknown
  responses: Record<string, unknown>
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: JsonSchema
  /** A value as its schema has it: a list as a list. */
  example: unknown
}

export interface OpenApiDocument {
  openapi: string
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: WebhookOperation }>
  components: Record<string, unknown>
}

const header = (type: string, description: string) => ({ description, schema: { type } })

const HEADERS = {
  'X-Request-Id': header('string', 'Id of the request, also in error bodies'),
  'X-Data-Source': header('string', '`sandbox` if the answer contains simulated data'),
  'X-Unknown-Parameters': header(
    'string',
    'Query parameters that are ignored because the endpoint does not have them, e.g. `limt; did you mean limit?`',
  ),
  'Preference-Applied': header(
    'string',
    '`handling=strict` if the request prefers it: unknown query parameters then get 400',
  ),
  'X-Data-As-Of': header('string', 'Time of the oldest data, prices included (RFC 3339)'),
  'X-Price-As-Of': header(
    'string',
    'Time of the oldest price on which the present figures rest (RFC 3339); absent when they rest on none',
  ),
  'X-Sync-Status': header(
    'string',
    '`syncing` if the history of a wallet or portfolio is not complete, or its figures are being computed',
  ),
  'X-Hidden-Spam': header('integer', 'Tokens that are left out as spam; `includeSpam` shows them'),
  'X-Hidden-Dust': header(
    'integer',
    'Balances that are left out because they are worth less than `minValueUsd`',
  ),
  'X-Sync-Pending': header('string', 'What is not complete, as in `meta.pending`; at most 20 names'),
  'RateLimit-Policy': header('string', 'Requests per second of the plan, e.g. `"rps";q=30;w=1`'),
  RateLimit: header(
    'string',
    'Requests left and seconds until the full rate is available again, e.g. `"rps";r=7;t=1`',
  ),
  'X-Credits-Cost': header('integer', 'Credits charged; 0 on errors'),
  'X-Credits-Remaining': header('integer', 'Credits left in the period'),
  'X-Credits-Reset': header('integer', 'Seconds until the next period'),
}
const PUBLIC_HEADERS = ['X-Request-Id', 'X-Data-Source', 'X-Unknown-Parameters', 'Preference-Applied']
const refs = (names: string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** The OpenAPI 3.1 document of the route table. */
export function openApiDocument(routes: readonly Route[]): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {}
  const names = schemaNames([
    ...routes.flatMap(({ requestBody }) => (requestBody ? [toJsonSchema(requestBody, 'input')] : [])),
    ...routes.map(({ response }) => toJsonSchema(response, 'output')),
  ])
  for (const route of routes) (paths[route.path] ??= {})[route.method.toLowerCase()] = operation(route, names)
  const webhooks = webhookOperations(names)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sluice',
      version: '1.0',
      description: 'Crypto market and wallet data. Every request costs credits; errors cost none.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/v1' }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name, description: aboutTag(name) })),
    paths,
    webhooks,
    components: {
      ...errorComponents,
      schemas: { ...errorComponents.schemas, ...names.components() },
      headers: HEADERS,
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-KEY' },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: `The same key, or a JWT of the configured OpenID provider: with the scope ${READ_SCOPE} for GET, with ${WRITE_SCOPE} for all other methods`,
        },
      },
    },
  }
}

function operation(route: Route, names: SchemaNames): Operation {
  const id = operationId(route)
  const call = recordedCall(id)
  const description = [route.description, priceText(route)].filter(Boolean).join('\n\n')
  return {
    operationId: id,
    tags: [route.tag],
    summary: route.summary,
    description,
    ...(route.deprecatedBy && { deprecated: true as const }),
    security: route.public ? [] : [{ apiKey: [] }, { bearer: [] }],
    parameters: parametersOf(route, call),
    ...(route.requestBody && {
      requestBody: {
        required: !route.requestBody.safeParse(undefined).success,
        content: {
          'application/json': {
            schema: names.refer(toJsonSchema(route.requestBody, 'input'), pascal(id), 'Body'),
            ...(call?.body !== undefined && { example: call.body }),
          },
        },
      },
    }),
    responses: {
      '200': {
        description: 'Success',
        headers: refs(route.public ? PUBLIC_HEADERS : Object.keys(HEADERS)),
        content: {
          [route.kind === 'stream' ? 'text/event-stream' : 'application/json']: {
            ...(call && { example: call.answer }),
            schema: names.refer(
              toJsonSchema(route.response, 'output'),
              pascal(id).replace(/^Get/, ''),
              'Response',
            ),
          },
          ...(route.csv && { 'text/csv': { schema: { type: 'string' } } }),
        },
      },
      ...errorResponses(route),
    },
  }
}

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Repeated requests with the same key and parameters take effect once, are charged once and get the first answer',
  schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
  example: '6f1a3a52-7c1e-4b0d-9a43-0c8de1f4b7a9',
}

/** The parameters of a route. A parameter of the recorded call has its value as example. */
function parametersOf(route: Route, call: RecordedCall | null): Parameter[] {
  const declared = [
    ...parameters(route.pathParams && toJsonSchema(route.pathParams, 'input'), 'path'),
    ...parameters(route.query && toJsonSchema(route.query, 'input'), 'query'),
    ...parameters(route.headers && toJsonSchema(route.headers, 'input'), 'header'),
    ...(route.method === 'GET' ? [] : [IDEMPOTENCY_KEY]),
  ]
  if (!call) return declared
  const given = givenValues({ path: route.path, operation: { parameters: declared } }, call)
  return declared.map((one) => (given.has(one) ? { ...one, example: given.get(one) } : one))
}

function parameters(schema: JsonSchema | undefined, place: Parameter['in']): Parameter[] {
  const properties = (schema?.properties ?? {}) as Record<string, JsonSchema>
  const required = (schema?.required ?? []) as string[]
  return Object.entries(properties).map(([name, { description, example, ...rest }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(typeof description === 'string' && { description }),
    // Lists are one comma-separated value.
    ...(rest.type === 'array' && { style: 'form', explode: false }),
    schema: rest,
    example: example ?? plainExample(rest),
  }))
}

/** A default or a choice says enough. */
function plainExample({ default: fallback, enum: choices, items }: JsonSchema): unknown {
  const [first] = (choices as unknown[] | undefined) ?? []
  if (items !== undefined) return [plainExample(items as JsonSchema)]
  return fallback ?? first
}

/** False: with a stream. */
export const answersJson = ({ responses }: Operation): boolean =>
  'application/json' in (responses['200'] as { content: object }).content
