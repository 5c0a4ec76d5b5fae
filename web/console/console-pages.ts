import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { ReadonlyDb } from '../../db/schema.ts'
import type { ShownSetting } from '../../ops/settings/shown-settings.ts'
import { preparePages } from '../parts/prepare-pages.ts'
import { servePath, serveScript } from '../parts/serve-path.ts'
import { ACCOUNTS, accountPages } from './account-pages.ts'
import { BACKFILL, backfillPages } from './backfill-pages.ts'
import { incidentPages } from './incident-pages.ts'
import { LOGS, logPage } from './log-pages.ts'
import { moneyPage } from './money-page.ts'
import { OPERATORS, operatorPages } from './operator-pages.ts'
import { overviewPage } from './overview-page.ts'
import { PAYMENTS, paymentPages } from './payment-pages.ts'
import { quarantinePages } from './quarantine-pages.ts'
import { SCHEDULES, schedulePages } from './schedule-pages.ts'
import { sourcePages } from './source-pages.ts'
import { SYNCS, syncPages } from './sync-pages.ts'
import { SYSTEM, systemPages } from './system-page.ts'
import type { Temporal } from './temporal.ts'
import { USERS, usersPages } from './users-pages.ts'
import { createConsoleVisits, LIVE_SCRIPT } from './visit.ts'
import { runsPage } from './runs-page.ts'
import { WORKFLOWS, workflowPages } from './workflow-pages.ts'

const MAX_FORM_BYTES = 4_096
const SCRIPT = readFileSync(new URL('./live.js', import.meta.url), 'utf8')

export interface ConsoleDeps {
  /** Settings of the account page, where operators also sign in. */
  signIn: { issuer: string; isEmbedded: boolean; url: string; secret: string }
  /** Connects as role `console`. */
  db: ReadonlyDb
  /** Connects as role `api`. */
  served: ReadonlyDb
  /** The replica of reads; absent: none is set. */
  replica?: ReadonlyDb
  /** Of this process, with secrets hidden. */
  settings: readonly ShownSetting[]
  /** Folder with the logs of the processes; null: they write no files. */
  logFolder: string | null
  /** null: the console shows no workflows. */
  temporal: Temporal | null
  now: () => Date
}

/** Pages under /console. They read, and each of their actions leaves a row in `operator_actions`. */
export function consolePages(deps: ConsoleDeps): (app: FastifyInstance) => Promise<void> {
  const { signIn, db, now } = deps
  return async (app) => {
    const { secret, url } = signIn
    const cookies = await preparePages(app, { secret, url, maxFormBytes: MAX_FORM_BYTES, now })
    const visits = createConsoleVisits({ db, cookies, hasLogs: deps.logFolder !== null, ...signIn })

    servePath(app, '/console', { GET: visits(overviewPage(deps)) })
    const quarantine = quarantinePages(deps)
    servePath(app, '/console/quarantine', { GET: visits(quarantine.list) })
    servePath(app, '/console/quarantine/:id', { GET: visits(quarantine.show) })
    servePath(app, '/console/quarantine/:id/retry', { POST: visits(quarantine.retry) })
    const sources = sourcePages(deps)
    servePath(app, '/console/sources/:name', { GET: visits(sources.show) })
    servePath(app, '/console/sources/:name/pause', { POST: visits(sources.pause) })
    servePath(app, '/console/sources/:name/resume', { POST: visits(sources.resume) })
    servePath(app, '/console/sources/:name/trigger', { POST: visits(sources.trigger) })
    servePath(app, '/console/sources/:name/limit', { POST: visits(sources.limit) })
    const schedules = schedulePages(deps)
    servePath(app, SCHEDULES, { GET: visits(schedules.list) })
    servePath(app, `${SCHEDULES}/:id/pause`, { POST: visits(schedules.pause) })
    servePath(app, `${SCHEDULES}/:id/resume`, { POST: visits(schedules.resume) })
    servePath(app, `${SCHEDULES}/:id/trigger`, { POST: visits(schedules.trigger) })
    const backfill = backfillPages(deps)
    servePath(app, BACKFILL, { GET: visits(backfill.show), POST: visits(backfill.order) })
    const syncs = syncPages(deps)
    servePath(app, SYNCS, { GET: visits(syncs.show), POST: visits(syncs.order) })
    servePath(app, WORKFLOWS, { GET: visits(runsPage(deps)) })
    const workflows = workflowPages(deps)
    servePath(app, '/console/workflows/:run', { GET: visits(workflows.show) })
    servePath(app, '/console/workflows/:run/run-again', { POST: visits(workflows.runAgain) })
    servePath(app, LOGS, { GET: visits(logPage({ folder: deps.logFolder, now })) })
    const incidents = incidentPages(deps)
    servePath(app, '/console/incidents', { GET: visits(incidents.list) })
    servePath(app, '/console/incidents/:id/acknowledge', { POST: visits(incidents.acknowledge) })
    servePath(app, '/console/incidents/:id/silence', { POST: visits(incidents.silence) })
    servePath(app, '/console/silences/:id/end', { POST: visits(incidents.endSilence) })
    servePath(app, '/console/runbooks/:rule', { GET: visits(incidents.runbook) })
    if (signIn.isEmbedded) {
      const users = usersPages({ db, issuer: signIn.issuer })
      servePath(app, USERS, { GET: visits(users.list), POST: visits(users.invite) })
      servePath(app, `${USERS}/:name/reset`, { POST: visits(users.reset) })
      servePath(app, `${USERS}/:name/disable`, { POST: visits(users.disable) })
      servePath(app, `${USERS}/:name/enable`, { POST: visits(users.enable) })
    }
    const accounts = accountPages(deps)
    servePath(app, ACCOUNTS, { GET: visits(accounts.list), POST: visits(accounts.open) })
    servePath(app, `${ACCOUNTS}/:id`, { GET: visits(accounts.show) })
    servePath(app, `${ACCOUNTS}/:id/plan`, { POST: visits(accounts.changePlan) })
    servePath(app, `${ACCOUNTS}/:id/top-up`, { POST: visits(accounts.topUp) })
    servePath(app, `${ACCOUNTS}/:id/keys`, { POST: visits(accounts.createKey) })
    servePath(app, `${ACCOUNTS}/:id/keys/:prefix/revoke`, { POST: visits(accounts.revokeKey) })
    const operators = operatorPages({ db, issuer: signIn.issuer })
    servePath(app, OPERATORS, { GET: visits(operators.list), POST: visits(operators.add) })
    servePath(app, `${OPERATORS}/remove`, { POST: visits(operators.remove) })
    const payments = paymentPages(deps)
    servePath(app, PAYMENTS, { GET: visits(payments.list) })
    servePath(app, `${PAYMENTS}/refund`, { POST: visits(payments.refund) })
    const system = systemPages(deps)
    servePath(app, SYSTEM, { GET: visits(system.show) })
    servePath(app, `${SYSTEM}/restored`, { POST: visits(system.restored) })
    servePath(app, '/console/money', { GET: visits(moneyPage(deps)) })
    servePath(app, '/console/sign-out', {
      POST: visits(async ({ signOut }) => signOut('/account/signed-out')),
    })
    serveScript(app, LIVE_SCRIPT, SCRIPT)
  }
}
