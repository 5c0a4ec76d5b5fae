import { readIngestConfig } from '../activities/config.ts'
import type { IngestConfig } from '../activities/ingest-config.ts'
import { createHttpClient } from '../activities/http.ts'
import type { HttpClient } from '../activities/http-client.ts'
import type { recordFixtures } from '../activities/record-fixture.ts'
import { createSourceGate } from '../activities/source-gate.ts'
import type { Db } from '../db/schema.ts'
import { noteProbe } from '../db/sources/turns.ts'

/**
 * Runs `work` with an HTTP client for sources that shares the allowances of the workers through the database. Its
 * requests count, but an answer to a question of the operator is no ingestion: it leaves the source as late as it is.
 * `record`: called with each answer.
 */
export async function withAskingClient<T>(
  input: { db: Db; env: Record<string, string | undefined>; record?: ReturnType<typeof recordFixtures> },
  work: (asking: { http: HttpClient; config: IngestConfig }) => Promise<T>,
): Promise<T> {
  const { db, env, record } = input
  const config = readIngestConfig(env)
  const http = createHttpClient({
    gate: {
      ...createSourceGate({ db, limits: config.sources, maxWaitMs: 5_000 }),
      succeeded: (source) => noteProbe(db, source),
    },
    sources: config.sources,
    random: Math.random,
    deadlineMs: 10_000,
    ...(record && { record }),
  })
  try {
    return await work({ http, config })
  } finally {
    await http.close()
  }
}
