import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import proto from '@temporalio/proto'
import {
  Runtime,
  Worker,
  type WorkflowBundleWithSourceMap,
  bundleWorkflowCode,
  DefaultLogger,
} from '@temporalio/worker'
import { beforeAll, expect, test } from 'vitest'

// Histories of runs that really were, kept by record-history.ts.
const FOLDER = join(import.meta.dirname, 'histories')
const histories = readdirSync(FOLDER).filter((name) => name.endsWith('.json'))
const read = (name: string) =>
  proto.temporal.api.history.v1.History.fromObject(
    JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Record<string, unknown>,
  )
let workflowBundle: WorkflowBundleWithSourceMap

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] })
  const workflowsPath = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url))
  workflowBundle = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') })
}, 60_000)

test.each(histories)(
  '%s is still what the workflow does',
  async (name) => {
    await Worker.runReplayHistory({ workflowBundle }, read(name), name)
  },
  30_000,
)

test('a workflow that does something else is found out', async () => {
  const history = read('refresh-fiats.json')
  for (const { activityTaskScheduledEventAttributes: scheduled } of history.events)
    if (scheduled) scheduled.activityType = { name: 'somethingElse' }
  await expect(Worker.runReplayHistory({ workflowBundle }, history)).rejects.toMatchObject({
    name: 'DeterminismViolationError',
  })
}, 30_000)
