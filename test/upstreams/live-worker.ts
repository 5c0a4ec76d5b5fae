import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { readIngestConfig } from '../../activities/config.ts'
import type { ActivityDeps } from '../../activities/deps.ts'
import { type AnswerWatch, watchAnswers } from '../../activities/drift/watch-answers.ts'
import { createHttpClient } from '../../activities/http.ts'
import { openDb } from '../../db/connect.ts'
import type { TestDatabase } from '../setup/database.ts'
import type { FakeClock } from './double.ts'
import type { FieldReads } from './field-reads.ts'
import { simulatedGate } from './simulated-gate.ts'

/**
 * What the activities of a worker in live mode get, until the end of the running test. It knows the doubles and no
 * other source, at the rates of their plans. `settings`: the variables of their URLs and keys. `wrap`: watches its client.
 */
export async function liveWorker(
  database: TestDatabase,
  {
    clock,
    settings,
    wrap,
  }: { clock: FakeClock; settings: Record<string, string>; wrap?: FieldReads['wrap'] },
): Promise<ActivityDeps & { watch: AnswerWatch }> {
  const read = readIngestConfig({ SOURCES: 'live', ...settings })
  const isDouble = ({ url }: { url: string }) => new URL(url).hostname === '127.0.0.1'
  const sources = Object.fromEntries(Object.entries(read.sources).filter(([, source]) => isDouble(source)))
  const connection = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
  const gate = await simulatedGate({ database, clock, limits: sources })
  const now = () => new Date(clock.now())
  const log = pino({ level: 'silent' })
  const watch = watchAnswers({ pool: connection.pool, now, log })
  const http = createHttpClient({ gate, sources, random: () => 0, watch: watch.note })
  onTestFinished(async () => {
    await http.close()
    await gate.close()
    await watch.idle()
    await connection.close()
  })
  return {
    ...connection,
    http: wrap ? wrap(http) : http,
    config: { ...read, sources },
    now,
    log,
    heartbeat: () => {},
    watch,
  }
}
