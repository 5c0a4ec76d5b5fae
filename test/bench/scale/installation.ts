import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import type { Run } from '../../../cli/supervisor/run-file.ts'
import { workerService } from '../../../cli/supervisor/services.ts'
import { startAll } from '../../../cli/supervisor/start-all.ts'
import { newRun } from '../../../cli/supervisor/supervise.ts'
import { createSupervisor } from '../../../cli/supervisor/supervisor.ts'
import { topology } from '../../../cli/topology/layout.ts'
import type { Cleanup } from '../shared/cleanup.ts'

/** Longest wait for running workflows. After it, they affect the measurement. */
const PATIENCE_MS = 90_000

export interface Installation {
  run: Run
  /** Environment of its processes. */
  env: Record<string, string>
  temporal: Client
  /** Starts or stops workers until `count` run. */
  setWorkers: (count: number) => Promise<void>
}

/**
 * Starts the topology of `sluice topology` in its own folder, with `apis` APIs, one worker and no schedules.
 */
export async function startInstallation(options: {
  apis: number
  cleanup: Cleanup
  log: (line: string) => void
}): Promise<Installation> {
  const { apis, cleanup, log } = options
  const home = await mkdtemp(join(tmpdir(), 'sluice-bench-scale-'))
  cleanup.add(() => rm(home, { recursive: true, force: true }))
  await chmod(home, 0o711)
  const layout = topology({ apis, workers: 1 })
  const { run, ports } = await newRun(home, layout, log)
  const supervisor = createSupervisor({ home, run, ports, log })
  cleanup.add(supervisor.stop)
  const env = await startAll({ home, run, supervisor, log }, layout)

  const connection = await Connection.connect({ address: run.temporalAddress })
  cleanup.add(() => connection.close())
  const temporal = new Client({ connection })
  for await (const { scheduleId } of temporal.schedule.list())
    await temporal.schedule.getHandle(scheduleId).pause('bench')
  log('waiting for running workflows')
  for (const endMs = Date.now() + PATIENCE_MS; Date.now() < endMs; await sleep(1_000))
    if ((await temporal.workflow.count(`ExecutionStatus = 'Running' and TaskQueue = 'sluice'`)).count === 0)
      break

  const more: { stop: () => Promise<void> }[] = []
  const setWorkers = async (count: number): Promise<void> => {
    while (more.length > count - 1) await more.pop()!.stop()
    while (more.length < count - 1) {
      const number = more.length + 2
      more.push(await supervisor.keep(() => workerService({ env, number })))
    }
  }
  return { run, env, temporal, setWorkers }
}
