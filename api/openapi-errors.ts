import { ERROR_STATUSES } from './error-catalogue.ts'
import type { Route } from './route.ts'

const DESCRIBED = ERROR_STATUSES.filter(({ of }) => of !== null)

export function errorResponses(route: Route): Record<string, { $ref: string }> {
  return Object.fromEntries(
    DESCRIBED.filter(({ of }) => of!(route)).map(({ status, name }) => [
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
    DESCRIBED.map(({ status, name, description }) => [name, response(status, description)]),
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
