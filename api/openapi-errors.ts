import type { Route } from './route.ts'

/** Error responses of the contract, and which routes can return them. */
const ERRORS: { status: number; name: string; description: string; of: (route: Route) => boolean }[] = [
  { status: 400, name: 'BadRequest', description: 'Invalid parameter: <name>. <Reason>', of: () => true },
  {
    status: 401,
    name: 'Unauthorized',
    description: 'Missing, wrong, revoked or expired API key or bearer token',
    of: keyed,
  },
  {
    status: 403,
    name: 'Forbidden',
    description:
      'Not in the plan, not allowed for this key or bearer token, or not allowed with this share token and passcode',
    of: keyed,
  },
  { status: 404, name: 'NotFound', description: 'Not found', of: hasInput },
  {
    status: 409,
    name: 'Conflict',
    description: 'Transactions not synced',
    of: ({ needsSync }) => needsSync === true,
  },
  {
    status: 410,
    name: 'Gone',
    description: 'Events after that number are no longer kept',
    of: ({ tag, method }) => tag === 'Events' && method === 'GET',
  },
  { status: 413, name: 'PayloadTooLarge', description: 'The body is larger than 1 MB', of: writes },
  { status: 415, name: 'UnsupportedMediaType', description: 'The body is not UTF-8 JSON', of: writes },
  {
    status: 429,
    name: 'TooManyRequests',
    description: 'Rate limit exceeded, Insufficient credits for this request, or Credits limit reached',
    of: keyed,
  },
  {
    status: 431,
    name: 'HeadersTooLarge',
    description: 'URL and headers are larger than 16 kB',
    of: () => true,
  },
  { status: 500, name: 'InternalError', description: 'Internal error', of: () => true },
  { status: 503, name: 'Unavailable', description: 'Service unavailable', of: () => true },
]

function keyed(route: Route): boolean {
  return !route.public
}
function hasInput(route: Route): boolean {
  return [route.pathParams, route.query, route.requestBody, route.headers].some(
    (schema) => schema !== undefined,
  )
}
function writes(route: Route): boolean {
  return route.method !== 'GET'
}

export function errorResponses(route: Route): Record<string, { $ref: string }> {
  return Object.fromEntries(
    ERRORS.filter(({ of }) => of(route)).map(({ status, name }) => [
      String(status),
      { $ref: `#/components/responses/${name}` },
    ]),
  )
}

const two = { statusCode: { type: 'integer' }, message: { type: 'string' } }
const four = { ...two, requestId: { type: 'string', format: 'uuid' }, path: { type: 'string' } }
const required = ['statusCode', 'message', 'requestId', 'path']

export const errorComponents = {
  schemas: {
    Error: {
      type: 'object',
      properties: {
        ...four,
        error: { type: 'string', description: 'Repeats the message, in errors about a share token' },
      },
      required,
      additionalProperties: false,
    },
    UnauthorizedError: {
      type: 'object',
      properties: { ...four, error: { const: 'Unauthorized' } },
      required: [...required, 'error'],
      additionalProperties: false,
    },
    UnavailableError: {
      type: 'object',
      properties: two,
      required: ['statusCode', 'message'],
      additionalProperties: false,
    },
  },
  responses: Object.fromEntries(
    ERRORS.map(({ status, name, description }) => [name, response(status, description)]),
  ),
}

function response(status: number, description: string): unknown {
  const schema = status === 401 ? 'UnauthorizedError' : status === 503 ? 'UnavailableError' : 'Error'
  const headers = status === 429 && {
    headers: {
      'Retry-After': {
        description:
          'Seconds to wait. Absent when credits are spent: X-Credits-Reset has the seconds to the next period',
        schema: { type: 'integer' },
      },
    },
  }
  return {
    description,
    ...headers,
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
  }
}
