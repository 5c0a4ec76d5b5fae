import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import proto from '@temporalio/proto'
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker'
import { beforeAll, expect, test } from 'vitest'
import * as workflows from '../../workflows/index.ts'
import { workflowBundle } from '../../activities/workflow-bundle.ts'
import { cacheFolder } from '../../cli/folders.ts'

// Histories of real runs, recorded with `RECORD_HISTORY=<workflow> npm test -- test/<area>`.
const FOLDER = join(import.meta.dirname, 'histories')
const histories = readdirSync(FOLDER).filter((name) => name.endsWith('.json'))
const read = (name: string) =>
  proto.temporal.api.history.v1.History.fromObject(
    JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Record<string, unknown>,
  )
let bundle: { code: string }

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] })
  bundle = await workflowBundle(join(cacheFolder(), 'workflows'), new DefaultLogger('ERROR'))
})

test.each(histories)('Y13 %s replays with the current workflow', async (name) => {
  await Worker.runReplayHistory({ workflowBundle: bundle }, read(name), name)
})

test('every workflow has a recorded history', () => {
  const started = histories.map(
    (name) => read(name).events[0]!.workflowExecutionStartedEventAttributes!.workflowType!.name!,
  )
  expect(started.toSorted()).toEqual(Object.keys(workflows).toSorted())
})

test('a changed workflow fails the replay', async () => {
  const history = read('refresh-fiats.json')
  for (const { activityTaskScheduledEventAttributes: scheduled } of history.events)
    if (scheduled) scheduled.activityType = { name: 'somethingElse' }
  await expect(Worker.runReplayHistory({ workflowBundle: bundle }, history)).rejects.toMatchObject({
    name: 'DeterminismViolationError',
  })
})
