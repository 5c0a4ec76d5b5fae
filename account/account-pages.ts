import cookie from '@fastify/cookie'
import formBody from '@fastify/formbody'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Route } from '../api/route.ts'
import type { ReadonlyDb } from '../db/connect.ts'
import type { Meter } from '../db/metering/meter.ts'
import type { AccountConfig } from './config.ts'
import { connectionsPage } from './connections-page.ts'
import { sendErrorPage } from '../pages/error-page.ts'
import { keysPages } from './keys-pages.ts'
import { createSealedCookies } from '../pages/sealed-cookies.ts'
import { servePath } from '../pages/serve-path.ts'
import { sharesPages } from './shares-pages.ts'
import { addSignIn } from './sign-in.ts'
import { usagePage } from './usage-page.ts'
import { createAccountVisits } from './visit.ts'

/** A form of every endpoint of the table is a few kilobytes. */
const MAX_FORM_BYTES = 32_768

export interface AccountDeps {
  config: AccountConfig
  /** Connects as role `account`. */
  pool: pg.Pool
  db: ReadonlyDb
  meter: Pick<Meter, 'admit'>
  routes: readonly Route[]
  now: () => Date
}

/** The pages under /account: no script, no state but in the database and in sealed cookies. */
export function accountPages(deps: AccountDeps): (app: FastifyInstance) => Promise<void> {
  const { config, pool, db, now } = deps
  return async (app) => {
    await app.register(cookie)
    await app.register(formBody, { bodyLimit: MAX_FORM_BYTES })
    app.setErrorHandler(sendErrorPage)
    const cookies = createSealedCookies({
      secret: config.secret,
      secure: config.url.startsWith('https:'),
      now,
    })
    const visits = createAccountVisits({ pool, cookies, issuer: config.issuer })
    addSignIn(app, { config, cookies, visits })

    servePath(app, '/account', { GET: visits(usagePage(deps)) })
    servePath(app, '/account/connections', { GET: visits(connectionsPage({ db })) })
    const keys = keysPages(deps)
    servePath(app, '/account/keys', { GET: visits(keys.list), POST: visits(keys.create) })
    servePath(app, '/account/keys/:prefix', { GET: visits(keys.edit), POST: visits(keys.change) })
    servePath(app, '/account/keys/:prefix/revoke', { POST: visits(keys.revoke) })
    const { url, pepper } = config
    const shares = sharesPages({ pool, db, now, url, ...(pepper !== undefined && { pepper }) })
    servePath(app, '/account/shares', { GET: visits(shares.list), POST: visits(shares.create) })
    servePath(app, '/account/shares/:id/rotate', { POST: visits(shares.rotate) })
    servePath(app, '/account/shares/:id/revoke', { POST: visits(shares.revoke) })
  }
}
