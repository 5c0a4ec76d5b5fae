import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode } from '@temporalio/worker'

/** Bundles all workflows as the worker does. Throws, naming the module, when one of them reaches I/O. */
export async function checkBundle(): Promise<void> {
  const workflowsPath = fileURLToPath(new URL('./index.ts', import.meta.url))
  const silent = {
    trace: () => {},
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: () => {},
    log: () => {},
  }
  await bundleWorkflowCode({ workflowsPath, logger: silent })
}
