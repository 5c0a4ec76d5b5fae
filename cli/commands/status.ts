import { setTimeout as sleep } from 'node:timers/promises'
import { createTemporal, type Temporal } from '../../web/console/temporal.ts'
import { readTemporal } from '../../web/console/config.ts'
import type { Given } from '../command-spec.ts'
import { exportTarget } from '../export-target.ts'
import { homeFolder } from '../folders.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { operatorEnvironment } from '../operator-environment.ts'
import { toJson } from '../print.ts'
import { sourceData } from '../source-line.ts'
import type { STATUS } from '../specs/watch.ts'
import { readStatus, type Status } from '../status/read-status.ts'
import { statusText } from '../status/status-text.ts'
import { readRun } from '../supervisor/run-file.ts'

/** Time limit of one statement, for a slow database. */
const ANSWER_MS = 15_000

const CLEAR_SCREEN = '\u001B[2J\u001B[H'

/**
 * Prints the status once and returns exit code 1 when something is bad. With --watch repeats until it is
 * stopped.
 */
export async function run({ watch, every, json }: Given<typeof STATUS>): Promise<number> {
  const temporal = operatorTemporal()
  try {
    return await withOperatorDatabase(
      async (db, pool) => {
        for (;;) {
          const status = await readStatus({
            db,
            pool,
            temporal,
            run: readRun(homeFolder()),
            exports: exportTarget(),
            now: () => new Date(),
          })
          const clear = watch && !json && process.stdout.isTTY ? CLEAR_SCREEN : ''
          console.log(json ? toJson(statusData(status)) : clear + statusText(status))
          if (!watch) return isBad(status) ? 1 : 0
          await sleep(every * 1_000)
        }
      },
      { answerDeadlineMs: ANSWER_MS },
    )
  } finally {
    await temporal?.close()
  }
}

/** The status for programs: data instead of words. */
const statusData = ({ figures, sources, ...status }: Status) => ({
  ...status,
  figures: figures.map(({ name, mood }) => ({ name, mood })),
  sources: sources.map((source) => sourceData({ ...source, now: status.at })),
})

/** Opens Temporal the way the console does; null: no server is set. */
function operatorTemporal(): Temporal | null {
  const temporal = readTemporal(operatorEnvironment())
  return temporal && createTemporal({ ...temporal, now: () => new Date() })
}

const isBad = ({ figures, services, database }: Status): boolean =>
  figures.some(({ mood }) => mood === 'bad') ||
  database.problem !== null ||
  (services?.some(({ running }) => !running) ?? false)
