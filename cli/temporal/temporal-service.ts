import { Connection } from '@temporalio/client'
import { listens } from '../supervisor/listens.ts'
import type { ServiceSpec } from '../supervisor/service.ts'

interface TemporalServiceOptions {
  program: string
  port: number
  /** Port of its web pages; absent: it has none. */
  uiPort?: number
  /** Database file; absent: the data is kept in memory. */
  file?: string
}

/**
 * The Temporal development server as a supervised process. Its single shard polls its task queues 20 times a second
 * unless told otherwise, which makes every activity take 50 ms more: the two rates remove that. Only its newer matcher
 * gives out work by priority, and it does so within one partition of a queue: with its usual four, urgent work would
 * wait until its partition is asked.
 */
export function temporalService({ program, port, uiPort, file }: TemporalServiceOptions): ServiceSpec {
  const dynamic = [
    'history.transferProcessorMaxPollRPS=2000',
    'history.timerProcessorMaxPollRPS=2000',
    'matching.useNewMatcher=true',
    'matching.numTaskqueueReadPartitions=1',
    'matching.numTaskqueueWritePartitions=1',
  ]
  return {
    name: 'temporal',
    command: program,
    args: [
      'server',
      'start-dev',
      '--ip',
      '127.0.0.1',
      '--port',
      String(port),
      ...(uiPort === undefined ? ['--headless'] : ['--ui-port', String(uiPort)]),
      '--log-level',
      'warn',
      ...dynamic.flatMap((value) => ['--dynamic-config-value', value]),
      ...(file === undefined ? [] : ['--db-filename', file, '--sqlite-pragma', 'journal_mode=WAL']),
      ...(file === undefined ? [] : ['--sqlite-pragma', 'synchronous=NORMAL']),
    ],
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/tmp' },
    listensOn: ['temporal', 'temporal-ui'],
    health: {
      probe: async (pid) =>
        (await hasNamespace({ address: `127.0.0.1:${port}`, namespace: 'default' })) &&
        listens({ pid, port }) !== false,
    },
    startDeadlineMs: 60_000,
    stopSignal: 'SIGTERM',
    stopDeadlineMs: 10_000,
  }
}

/** Whether the server at an address (host:port) answers and has the namespace. */
export async function hasNamespace({
  address,
  namespace,
}: {
  address: string
  namespace: string
}): Promise<boolean> {
  try {
    const connection = await Connection.connect({ address, connectTimeout: 2_000 })
    try {
      await connection.workflowService.describeNamespace({ namespace })
      return true
    } finally {
      await connection.close()
    }
  } catch {
    return false
  }
}
