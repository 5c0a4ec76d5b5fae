import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { notFound, notSynced } from '../../api/errors.ts'
import { pricedNetworks, withNetworks } from '../../api/networks.ts'
import { addressParam, enumParam, integerParam, limit, page } from '../../api/params.ts'
import { defineRoute, type Route } from '../../api/route.ts'

const base = { tag: 'Probe', summary: 'For tests', credits: 25, plan: 'any', x402: null } as const
const anything = z.record(z.string(), z.unknown())

/** Minimal endpoints, so that tests see what the server does around a handler. */
export const probeRoutes: readonly Route[] = [
  defineRoute({
    ...base,
    method: 'GET',
    path: '/probe',
    query: z.object({ page: page(), limit: limit(), sort: enumParam(['asc', 'desc']).optional() }),
    response: anything,
    handler: async ({ query }) => ({ body: { ...query }, asOf: new Date(1_700_000_000_000) }),
  }),
  defineRoute({
    ...base,
    method: 'PATCH',
    path: '/probe',
    query: z.object({ note: enumParam(['a', 'b']).optional() }),
    requestBody: z.strictObject({ items: z.array(z.string()).max(1_000) }).optional(),
    response: anything,
    handler: async ({ query, body }) => ({
      body: { ...query, items: body?.items.length ?? null, nonce: Math.random() },
      asOf: null,
      commands: [{ workflow: 'probe', workflowId: 'probe:1', input: { a: 1 } }],
    }),
  }),
  defineRoute({
    ...base,
    method: 'GET',
    path: '/probe/networks',
    query: withNetworks({ address: addressParam() }),
    response: anything,
    multiplied: { creditsAll: 250, items: ({ query }) => pricedNetworks(query.networks) },
    handler: async ({ query }) => ({ body: { ...query }, asOf: null }),
  }),
  defineRoute({
    ...base,
    method: 'GET',
    path: '/probe/spend',
    query: z.object({ units: integerParam({ minimum: 1, maximum: 1_000_000 }) }),
    response: anything,
    credits: 1,
    multiplied: { creditsAll: 0, items: ({ query }) => Array(query.units).fill('one') },
    handler: async () => ({ body: {}, asOf: null }),
  }),
  defineRoute({
    ...base,
    method: 'GET',
    path: '/probe/items/{id}',
    pathParams: z.object({ id: z.string().regex(/^[a-z]{1,20}$/) }),
    response: anything,
    handler: async ({ path }) => {
      if (path.id !== 'known') throw notFound('Probe not found')
      return { body: { id: path.id }, asOf: null }
    },
  }),
  defineRoute({
    ...base,
    method: 'GET',
    path: '/probe/paid',
    plan: 'paid',
    response: anything,
    handler: async () => ({ body: {}, asOf: null }),
  }),
  defineRoute({
    ...base,
    method: 'GET',
    path: '/probe/unsynced',
    needsSync: true,
    response: anything,
    handler: async () => {
      throw notSynced()
    },
  }),
  defineRoute({
    ...base,
    method: 'GET',
    path: '/probe/broken',
    response: anything,
    handler: async () => {
      throw new Error('select secret from internals')
    },
  }),
  defineRoute({
    ...base,
    method: 'GET',
    path: '/probe/slow',
    response: anything,
    deprecatedBy: '/probe',
    handler: async () => {
      await setTimeout(300)
      return { body: { json: '{"slow":true}' }, asOf: null }
    },
  }),
]
