import { eventSchema } from './events/event-schema.ts'
import { type JsonSchema, toJsonSchema } from './json-schema.ts'
import type { SchemaNames } from './openapi-components.ts'

export interface WebhookOperation {
  operationId: string
  tags: string[]
  summary: string
  parameters: {
    name: string
    in: 'header'
    required: true
    description: string
    schema: JsonSchema
    example: string | number
  }[]
  requestBody: unknown
  responses: Record<string, { description: string }>
}

const header = (name: string, description: string, example: string | number) => ({
  name,
  in: 'header' as const,
  required: true as const,
  description,
  schema: { type: typeof example === 'number' ? 'integer' : 'string' },
  example,
})

/** The requests that webhook endpoints get, one for each type of event. */
export function webhookOperations(names: SchemaNames): Record<string, { post: WebhookOperation }> {
  return Object.fromEntries(
    eventSchema.options.map((schema) => {
      const { value: type } = schema.shape.type
      const operationId = `on${type.replace(/(^|\.)(\w)/g, (_all, _dot, first: string) => first.toUpperCase())}`
      return [
        type,
        {
          post: operation({
            operationId,
            type,
            schema: names.refer(toJsonSchema(schema, 'output'), `${operationId.slice(2)}Event`),
          }),
        },
      ]
    }),
  )
}

function operation(of: { operationId: string; type: string; schema: JsonSchema }): WebhookOperation {
  return {
    operationId: of.operationId,
    tags: ['Webhooks'],
    summary: `${of.type}, posted to your endpoint`,
    parameters: [
      header(
        'webhook-id',
        'Id of the event, the same in every attempt',
        'evt_019ac2f9a1b07c3e8d52f60b7e4c91da',
      ),
      header('webhook-timestamp', 'Unix seconds of the attempt', 1_790_812_800),
      header(
        'webhook-signature',
        'Signatures by Standard Webhooks, separated by a space: `v1,<base64>`',
        'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      ),
    ],
    requestBody: { required: true, content: { 'application/json': { schema: of.schema } } },
    responses: {
      '2XX': { description: 'Received' },
      '410': { description: 'Nothing is wanted any more: the endpoint is disabled' },
      default: { description: 'Not received: the event comes again' },
    },
  }
}
