import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import type { WorkerOptions } from '@temporalio/worker'
import { DEPLOYMENT, listVersions, useVersion } from '../ops/temporal/worker-versions.ts'

/** The server learns of a version from the first question of its worker. */
const LEARNT_WITHIN_MS = 30_000

/**
 * Options by which a worker takes only runs of its version; none without a version. Runs stay with the version that
 * began them, but for loops, which never end: they say so themselves.
 */
export function ofVersion(version: string | null): Pick<WorkerOptions, 'workerDeploymentOptions'> {
  if (version === null) return {}
  return {
    workerDeploymentOptions: {
      version: { deploymentName: DEPLOYMENT, buildId: version },
      useWorkerVersioning: true,
      defaultVersioningBehavior: 'PINNED',
    },
  }
}

/** The first version of an installation has all runs at once. A later one waits for "sluice workers use". */
export async function useFirstVersion(client: Client, version: string): Promise<void> {
  for (const endMs = Date.now() + LEARNT_WITHIN_MS; ; await sleep(500)) {
    const known = await listVersions(client)
    if (known.some(({ state }) => state === 'current')) return
    if (known.some((one) => one.version === version)) return await useVersion(client, version)
    if (Date.now() >= endMs) throw new Error(`Temporal does not know the worker's version ${version}`)
  }
}
