import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { WebhookSettings } from '../../api/events/webhook-settings.ts'
import type { Route } from '../../api/route.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import type { Watching } from '../../db/events/watching.ts'
import type { Vault } from '../../db/exchanges/vault.ts'
import type { Meter } from '../../db/metering/meter.ts'
import type { AccountConfig } from './config.ts'
import { AGENTS, agentsPages } from './agents-page.ts'
import { alertsPages } from './alerts-pages.ts'
import { addConnectPages } from './connect/connect-pages.ts'
import { kitsPages } from './connect/kits-pages.ts'
import { ownConnections } from './connect/own-connections.ts'
import { connectionsPage } from './connections-page.ts'
import { acceptFiles } from '../parts/accept-files.ts'
import { preparePages } from '../parts/prepare-pages.ts'
import { DATA, dataPages } from './data/data-pages.ts'
import { importPages } from './import/import-pages.ts'
import { LIST_NAMES } from './import/lists.ts'
import { IMPORT } from './import/preview-page.ts'
import { keysPages } from './keys-pages.ts'
import { PORTFOLIOS, settingsPages } from './manual/settings-pages.ts'
import { TRANSACTION, transactionPages } from './manual/transaction-pages.ts'
import { LIVE_EVENTS_SCRIPT, liveEventsScript, livePage } from './live-page.ts'
import { servePath, serveScript } from '../parts/serve-path.ts'
import { addDemoPages } from './demo-pages.ts'
import { addPortfolioPages } from './portfolio/portfolio-pages.ts'
import { sharesPages } from './shares-pages.ts'
import { addSignIn } from './sign-in.ts'
import { usagePage } from './usage-page.ts'
import { createAccountVisits } from './visit.ts'
import { webhooksPages } from './webhooks-pages.ts'

/** The key form lists every endpoint, which takes a few kilobytes. */
const MAX_FORM_BYTES = 32_768
/** Of a form with a file to import. */
const MAX_FILE_BYTES = 1_048_576

export interface AccountDeps {
  config: AccountConfig
  /** Connects as role `account`. */
  pool: pg.Pool
  db: ReadonlyDb
  meter: Pick<Meter, 'admit' | 'chargeWrite' | 'identify'>
  routes: readonly Route[]
  /** Absent: exchanges cannot be connected. */
  vault?: Vault
  /** Absent: no key to seal secrets of webhooks is configured. */
  webhooks?: WebhookSettings
  watching: Pick<Watching, 'openTicket'>
  now: () => Date
  monotonicMs: () => number
}

/**
 * Pages under /account, and those of connect kits under /connect. They keep state only in the database and in
 * sealed cookies. Those under /account work without scripts; charts say more with one, and the live view of events
 * needs one.
 */
export function accountPages(deps: AccountDeps): (app: FastifyInstance) => Promise<void> {
  const { config, pool, db, now } = deps
  return async (app) => {
    const { secret, url, pepper } = config
    const cookies = await preparePages(app, { secret, url, maxFormBytes: MAX_FORM_BYTES, now })
    acceptFiles(app, MAX_FILE_BYTES)
    const visits = createAccountVisits({ pool, cookies, ...config })
    addSignIn(app, { config, pool, cookies, visits })
    addConnectPages(app, { ...deps, cookies, url })

    addPortfolioPages(app, { ...deps, base: '/account', visits })
    const { demoSubject: subject, issuer } = config
    if (subject !== undefined) addDemoPages(app, { ...deps, issuer, subject })
    const transactions = transactionPages(deps)
    servePath(app, TRANSACTION, { GET: visits(transactions.create), POST: visits(transactions.add) })
    servePath(app, `${TRANSACTION}/:id`, {
      GET: visits(transactions.edit),
      POST: visits(transactions.correct),
    })
    servePath(app, `${TRANSACTION}/:id/delete`, { POST: visits(transactions.remove) })
    const imports = importPages(deps)
    servePath(app, IMPORT, { GET: visits(imports.choose), POST: visits(imports.upload) })
    servePath(app, `${IMPORT}/:id`, { GET: visits(imports.preview) })
    servePath(app, `${IMPORT}/:id/add`, { POST: visits(imports.add) })
    for (const name of LIST_NAMES)
      servePath(app, `${IMPORT}/:id/${name}`, { GET: visits(imports.list(name)) })
    const data = dataPages(deps)
    servePath(app, DATA, { GET: visits(data.show) })
    servePath(app, `${DATA}/transactions.csv`, { GET: visits(data.transactions) })
    servePath(app, `${DATA}/by-hand.csv`, { GET: visits(data.stated) })
    servePath(app, `${DATA}/account.json`, { GET: visits(data.account) })
    servePath(app, `${DATA}/close`, { POST: visits(data.close) })
    const settings = settingsPages(deps)
    servePath(app, PORTFOLIOS, { GET: visits(settings.list), POST: visits(settings.create) })
    servePath(app, `${PORTFOLIOS}/:id`, { GET: visits(settings.edit), POST: visits(settings.change) })
    servePath(app, `${PORTFOLIOS}/:id/remove`, { POST: visits(settings.remove) })
    servePath(app, '/account/usage', { GET: visits(usagePage(deps)) })
    servePath(app, '/account/connections', { GET: visits(connectionsPage({ db })) })
    const own = ownConnections(deps)
    servePath(app, '/account/connections/wallet', { GET: visits(own.wallet), POST: visits(own.wallet) })
    servePath(app, '/account/connections/exchange', { GET: visits(own.exchanges) })
    const exchange = visits(own.exchange)
    servePath(app, '/account/connections/exchange/:exchange', { GET: exchange, POST: exchange })
    const keys = keysPages(deps)
    servePath(app, '/account/keys', { GET: visits(keys.list), POST: visits(keys.create) })
    servePath(app, '/account/keys/:prefix', { GET: visits(keys.edit), POST: visits(keys.change) })
    servePath(app, '/account/keys/:prefix/revoke', { POST: visits(keys.revoke) })
    const agents = agentsPages({ pool, url })
    servePath(app, AGENTS, { GET: visits(agents.list) })
    servePath(app, `${AGENTS}/end`, { POST: visits(agents.end) })
    servePath(app, `${AGENTS}/allow`, { POST: visits(agents.allow) })
    const webhooks = webhooksPages(deps)
    servePath(app, '/account/webhooks', { GET: visits(webhooks.list) })
    servePath(app, '/account/webhooks/live', { POST: visits(livePage(deps)) })
    servePath(app, '/account/webhooks/:id', { GET: visits(webhooks.show) })
    servePath(app, '/account/webhooks/:id/rotate', { POST: visits(webhooks.rotate) })
    servePath(app, '/account/webhooks/:id/resend', { POST: visits(webhooks.resend) })
    servePath(app, '/account/webhooks/:id/start', { POST: visits(webhooks.start) })
    serveScript(app, LIVE_EVENTS_SCRIPT, liveEventsScript)
    const alerts = alertsPages(deps)
    servePath(app, '/account/alerts', { GET: visits(alerts.list), POST: visits(alerts.add) })
    servePath(app, '/account/alerts/:id/remove', { POST: visits(alerts.remove) })
    const shares = sharesPages({ pool, db, now, url, ...(pepper !== undefined && { pepper }) })
    servePath(app, '/account/shares', { GET: visits(shares.list), POST: visits(shares.create) })
    servePath(app, '/account/shares/:id/rotate', { POST: visits(shares.rotate) })
    servePath(app, '/account/shares/:id/revoke', { POST: visits(shares.revoke) })
    const kits = kitsPages({ pool, url })
    servePath(app, '/account/kits', { GET: visits(kits.list), POST: visits(kits.create) })
    servePath(app, '/account/kits/:id', { GET: visits(kits.edit), POST: visits(kits.change) })
    servePath(app, '/account/kits/:id/remove', { POST: visits(kits.remove) })
  }
}
