import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  lastLines,
  type LogFilter,
  lineInWords,
  type LogLine,
  logProcesses,
  newLines,
} from '../../ops/telemetry/read-logs.ts'
import { CommandError, UsageError } from '../command.ts'
import type { Given } from '../command-spec.ts'
import { homeFolder } from '../folders.ts'
import { meant } from '../parse-given.ts'
import { toJson } from '../print.ts'
import type { LOGS } from '../specs/watch.ts'

const POLL_MS = 500

/** Prints the last lines of the logs that fit, oldest first, and with --follow those that come. */
export async function run(given: Given<typeof LOGS>): Promise<void> {
  const folder = process.env['LOG_FOLDER'] || join(homeFolder(), 'logs')
  const known = logProcesses(folder)
  if (known.length === 0)
    throw new CommandError(`no logs in ${folder}: start the installation, or set LOG_FOLDER to their folder`)
  const { process: name, request, wallet, source, workflow, limit, follow } = given
  if (name !== undefined && !known.includes(name))
    throw new UsageError(`no process ${name}${meant(name, known)}; there are ${known.join(', ')}`)
  const filter: LogFilter = {
    ...(name !== undefined && { process: name }),
    ...(request !== undefined && { request }),
    ...(wallet !== undefined && { wallet }),
    ...(source !== undefined && { source }),
    ...(workflow !== undefined && { workflow }),
  }
  const places = new Map<string, number>()
  const print = (lines: readonly LogLine[]) => {
    for (const line of lines) console.log(given.json ? toJson(line) : lineInWords(line))
  }
  print(lastLines(folder, { filter, limit, places }))
  while (follow) {
    await sleep(POLL_MS)
    print(newLines(folder, { filter, places }))
  }
}
