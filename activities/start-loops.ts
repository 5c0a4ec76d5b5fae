import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, isGrpcServiceError, WorkflowIdConflictPolicy } from '@temporalio/client'
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common'
import type { LoopSpec } from './area.ts'

/** By it Temporal's UI and lists find the loops of a network. */
const NETWORK = defineSearchAttributeKey('SluiceNetwork', SearchAttributeType.KEYWORD)
/** KEYWORD of temporal.api.enums.v1.IndexedValueType */
const KEYWORD = 2
// Codes of gRPC.
const INVALID_ARGUMENT = 3
const ALREADY_EXISTS = 6
/** A server learns of a new attribute within seconds. */
const KNOWN_WITHIN_MS = 30_000

/** Starts the workflows that keep loops alive. One that runs already goes on. */
export async function startLoops(deps: {
  client: Client
  taskQueue: string
  loops: readonly LoopSpec[]
}): Promise<void> {
  const { client, loops } = deps
  const isDeclared = loops.some(({ networkId }) => networkId !== undefined) && (await declareNetwork(client))
  for (const loop of loops) await startLoop(deps, { loop, named: isDeclared })
}

async function startLoop(
  { client, taskQueue }: { client: Client; taskQueue: string },
  { loop, named }: { loop: LoopSpec; named: boolean },
): Promise<void> {
  const { id, workflow, input, networkId } = loop
  let attributes = named && networkId !== undefined ? [{ key: NETWORK, value: networkId }] : []
  const deadlineMs = Date.now() + KNOWN_WITHIN_MS
  for (;;) {
    try {
      await client.workflow.start(workflow, {
        workflowId: id,
        taskQueue,
        args: input ? [input] : [],
        workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
        ...(attributes.length > 0 && { typedSearchAttributes: attributes }),
      })
      return
    } catch (error) {
      if (attributes.length === 0 || !hasCode(error, INVALID_ARGUMENT)) throw error
      if (Date.now() > deadlineMs) attributes = []
      else await sleep(500)
    }
  }
}

/** false: the server lets nobody declare attributes, as Temporal Cloud, and loops are found by their ids. */
async function declareNetwork({ connection, options }: Client): Promise<boolean> {
  try {
    const { namespace } = options
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: { [NETWORK.name]: KEYWORD },
    })
    return true
  } catch (error) {
    return hasCode(error, ALREADY_EXISTS)
  }
}

/** The client wraps errors of gRPC. */
function hasCode(error: unknown, code: number): boolean {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  return isGrpcServiceError(cause) && Number(cause.code) === code
}
