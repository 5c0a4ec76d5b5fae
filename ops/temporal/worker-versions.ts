import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, isGrpcServiceError } from '@temporalio/client'

// Versions of the workers' code, by which Temporal lets a run go on with the code that began it (worker versioning).

/** Name of the deployment whose versions are the releases. */
export const DEPLOYMENT = 'sluice'

/** As temporal.api.enums.v1.WorkerDeploymentVersionStatus */
const STATES = ['unknown', 'inactive', 'current', 'ramping', 'draining', 'drained', 'unknown'] as const

export interface WorkerVersion {
  version: string
  /**
   * `current`: new runs begin with it. `draining`: runs go on with it. `drained`: none does, so its workers may end.
   * `inactive`: no run ever began with it.
   */
  state: (typeof STATES)[number]
  /** when its first worker started */
  createdAt: Date
}

/** gRPC */
const NOT_FOUND = 5
/** gRPC: FAILED_PRECONDITION, ABORTED, UNAVAILABLE */
const EARLY: ReadonlySet<number> = new Set([9, 10, 14])
const KNOWN_WITHIN_MS = 20_000

/** The versions that workers have registered, newest first. */
export async function listVersions({ workflowService, options }: Client): Promise<WorkerVersion[]> {
  try {
    const { workerDeploymentInfo } = await workflowService.describeWorkerDeployment({
      namespace: options.namespace,
      deploymentName: DEPLOYMENT,
    })
    return (workerDeploymentInfo?.versionSummaries ?? [])
      .map(({ deploymentVersion, status, createTime }) => ({
        version: deploymentVersion?.buildId ?? '',
        state: STATES[status ?? 0] ?? 'unknown',
        createdAt: new Date(Number(createTime?.seconds ?? 0) * 1_000),
      }))
      .sort((a, b) => +b.createdAt - +a.createdAt)
  } catch (error) {
    if (isGrpcServiceError(error) && Number(error.code) === NOT_FOUND) return []
    throw error
  }
}

/**
 * Has new runs begin with a version, and loops go on with it. A version is known a moment before all of its queues
 * are: it is tried again for a while. Throws if none of its workers has registered.
 */
export async function useVersion({ workflowService, options }: Client, version: string): Promise<void> {
  const asked = {
    namespace: options.namespace,
    deploymentName: DEPLOYMENT,
    buildId: version,
    identity: options.identity,
  }
  for (const endMs = Date.now() + KNOWN_WITHIN_MS; ; await sleep(500))
    try {
      await workflowService.setWorkerDeploymentCurrentVersion(asked)
      return
    } catch (error) {
      const isEarly = isGrpcServiceError(error) && EARLY.has(Number(error.code))
      if (!isEarly || Date.now() >= endMs) throw error
    }
}
