import { allSourceSettings } from '../../activities/source-settings.ts'
import { CommandError } from '../command.ts'
import { networkPlan } from '../network-plan.ts'
import { perSecond, vendorPlans } from '../plan-text.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { prepareHome } from '../prepare-home.ts'
import { tableText } from '../print.ts'
import { changeSettings, nextEnvironment, settingsFile } from '../settings-file.ts'
import { originOf } from '../supervisor/keep-origin.ts'
import { sourcePlan, sourcePlanText } from '../source-plan.ts'
import { openPrivateHome } from '../supervisor/private-home.ts'
import { isRunning } from '../supervisor/process-mark.ts'
import { readRun } from '../supervisor/run-file.ts'
import { keyOffers, nodeOffers } from './offers.ts'
import { placesIn } from './setting-rows.ts'
import { openTerminal } from './terminal.ts'
import type { Terminal } from './terminal.ts'
import { walk } from './walk.ts'

/** Exit code of a program that Ctrl-C ended. */
const INTERRUPTED = 130

/** Walks through keys and nodes on standard input, stores what was typed, and prints the plan. */
export async function runSetup(home: string): Promise<number> {
  const { stdin: input, stdout: output } = process
  const terminal = openTerminal({ input, output, isTerminal: input.isTTY && output.isTTY })
  try {
    return await setUp(home, terminal)
  } finally {
    terminal.close()
  }
}

export async function setUp(home: string, terminal: Terminal): Promise<number> {
  if (originOf(home) === 'sandbox')
    throw new CommandError(
      `${home} holds a sandbox, which asks no real service: set SLUICE_HOME to another folder for live sources`,
    )
  // Before an operator types nine keys in vain.
  await prepareHome(home)
  openPrivateHome(home)
  const { say } = terminal
  const file = settingsFile(home)
  say(`Real services for the installation in ${home}. None of these settings is required.`)
  say(`What you type is not shown, and is stored at the end in ${file}, which only you can read.`)
  const asking = { terminal, env: nextEnvironment(home), placeOf: placesIn(home) }
  say('\nKeys of sources')
  const keys = await walk(keyOffers(), asking)
  const nodes = keys.more ? await walkNodes(asking) : {}
  if (terminal.interrupted()) {
    say('Nothing was changed.')
    return INTERRUPTED
  }
  changeSettings(home, { ...keys.changes, ...nodes, SOURCES: 'live' })
  say(`\nStored in ${file}.\n\nSources at the next start:`)
  const next = nextEnvironment(home)
  say(sourcesText(next))
  say(`\nRequests a day.\n${await requestsText(next)}`)
  say(`\nNetworks:\n${await networkText(next)}`)
  const run = readRun(home)
  say(
    `\n${run && isRunning(run.supervisor) ? 'Stop and start it again for the change' : 'To start it'}: npm start`,
  )
  return 0
}

async function walkNodes(asking: Parameters<typeof walk>[1]) {
  asking.terminal.say(`\nNodes of networks. Free plans:\n${tableText(vendorPlans())}`)
  return (await walk(nodeOffers(), asking)).changes
}

/** Which sources are on, how fast they are asked, and how often at most. */
const sourcesText = (env: Record<string, string | undefined>): string =>
  tableText(
    allSourceSettings(env).map(({ name, area, missing, quota, ...limit }) => ({
      source: name,
      area,
      state: missing === null ? 'on' : `off: set ${missing}`,
      pace: missing === null ? perSecond(limit) : '',
      allowance: missing === null && quota ? `${quota.units} ${quota.unit} a ${quota.per}` : '',
    })),
  )

/** For what is stored; before the first start, for what is usual. */
async function requestsText(env: Record<string, string | undefined>): Promise<string> {
  try {
    return sourcePlanText(await withOperatorDatabase((db) => sourcePlan(db, env)))
  } catch (error) {
    if (error instanceof CommandError) return sourcePlanText(await sourcePlan(null, env))
    throw error
  }
}

async function networkText(env: Record<string, string | undefined>): Promise<string> {
  try {
    return tableText(await networkPlan(env))
  } catch (error) {
    if (error instanceof CommandError) return '"sluice plan" shows them once the installation runs.'
    throw error
  }
}
