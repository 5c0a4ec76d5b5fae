import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, isGrpcServiceError } from '@temporalio/client'
import { RUN_ATTRIBUTES, type RunAttribute } from '../db/values/run-attributes.ts'

/** The attributes that the Temporal server has, by which runs can be found. */
export type KnownAttributes = ReadonlySet<RunAttribute>

/** As temporal.api.enums.v1.IndexedValueType */
const TYPES = { KEYWORD: 2, KEYWORD_LIST: 7 } as const
/** gRPC */
const INVALID_ARGUMENT = 3
/** A server learns of a new attribute within seconds. */
const KNOWN_WITHIN_MS = 30_000
const ALL = Object.keys(RUN_ATTRIBUTES) as RunAttribute[]

/**
 * Registers the missing search attributes and returns those that can be used. A cluster of others may have them already,
 * have one of another type under the name, or let nobody register any: then runs lack those, and are found by their ids.
 */
export async function declareAttributes(client: Client): Promise<KnownAttributes> {
  await addMissing(client).catch(() => {})
  const stored = await readTypes(client).catch(() => ({}))
  const declared = ALL.filter((of) => isOurs(of, stored))
  const usable = await Promise.all(declared.map(async (of) => ((await isAnswered(client, of)) ? [of] : [])))
  return new Set(usable.flat())
}

type Types = Readonly<Record<string, unknown>>

const isOurs = (of: RunAttribute, stored: Types) =>
  Number(stored[RUN_ATTRIBUTES[of].name]) === TYPES[RUN_ATTRIBUTES[of].type]

async function readTypes({ connection, options }: Client): Promise<Types> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({
    namespace: options.namespace,
  })
  return customAttributes ?? {}
}

/** One request for each: a server may refuse those that others made meanwhile. */
async function addMissing(client: Client): Promise<void> {
  const stored = await readTypes(client)
  const { namespace } = client.options
  for (const { name, type } of Object.values(RUN_ATTRIBUTES))
    if (!(name in stored))
      await client.connection.operatorService
        .addSearchAttributes({ namespace, searchAttributes: { [name]: TYPES[type] } })
        .catch(() => {})
}

/** Whether the server takes the attribute in a query, which it does as soon as it takes it in a start. */
async function isAnswered(client: Client, of: RunAttribute): Promise<boolean> {
  const { namespace } = client.options
  const query = `${RUN_ATTRIBUTES[of].name} = 'none'`
  for (const endMs = Date.now() + KNOWN_WITHIN_MS; Date.now() < endMs; await sleep(500))
    try {
      await client.workflowService.countWorkflowExecutions({ namespace, query })
      return true
    } catch (error) {
      if (!isRefused(error)) throw error
    }
  return false
}

/** Whether a server that does not know an attribute refused a request. The client wraps errors of gRPC. */
export function isRefused(error: unknown): boolean {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  return isGrpcServiceError(cause) && Number(cause.code) === INVALID_ARGUMENT
}
