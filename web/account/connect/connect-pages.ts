import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { notFound, rateLimited, unavailable } from '../../../api/errors.ts'
import { connectExchange } from '../../../api/exchanges/connect.ts'
import { createFailureBucket, type FailureBucket } from '../../../api/metering/failure-bucket.ts'
import { keepChoice, type ConnectionChoice } from '../../../db/account/connect-codes.ts'
import { readActiveNetworks } from '../../../db/chain/read-networks.ts'
import type { Vault } from '../../../db/exchanges/vault.ts'
import { readPortfolios } from '../../../db/portfolios/read-portfolios.ts'
import type { ReadonlyDb } from '../../../db/schema.ts'
import { exchangeOf } from '../../../db/values/exchanges.ts'
import { uuidV7 } from '../../../db/values/uuid-v7.ts'
import { html } from '../../parts/html.ts'
import type { SealedCookies } from '../../parts/sealed-cookies.ts'
import { servePath } from '../../parts/serve-path.ts'
import {
  exchangeList,
  exchangeScreen,
  MISSING_FIELDS,
  problemOf,
  readCredentials,
} from './exchange-screen.ts'
import { kitNotFound } from './find-kit.ts'
import { createPopups, type Popup } from './popup.ts'
import { addScripts, WALLET_SCRIPT } from './scripts.ts'
import { addSignPages, signInForm } from './sign-pages.ts'
import { readWallet, type Wallet, walletScreen } from './wallet-screen.ts'

/** Limits for one IP network, because anybody may try. Each key is one question to an exchange. */
const WALLETS = { burst: 60, perSecond: 0.2 }
const KEYS = { burst: 10, perSecond: 0.05 }

export interface ConnectDeps {
  /** Connects as role `account`. */
  pool: pg.Pool
  db: ReadonlyDb
  /** Absent: exchanges cannot be connected. */
  vault?: Vault
  now: () => Date
  monotonicMs: () => number
  /** Origin of the pages as browsers see it. */
  url: string
}

/** Adds the screens that users of an app see: without a session, with the brand of the app's connect kit. */
export function addConnectPages(app: FastifyInstance, deps: ConnectDeps & { cookies: SealedCookies }): void {
  const { pool, db, vault, now, monotonicMs } = deps
  const popups = createPopups(deps)
  const walletTries = createFailureBucket({ monotonicMs, ...WALLETS })
  const keyTries = createFailureBucket({ monotonicMs, ...KEYS })

  function count(tries: FailureBucket, { request }: Popup): void {
    const waitS = tries.waitS(request.ip)
    if (waitS > 0) throw rateLimited({ 'retry-after': String(waitS) })
    tries.count(request.ip)
  }

  /** Brings the code of a choice to the app. False: the nonce was used before, or the kit is gone. */
  async function finish(popup: Popup, choice: ConnectionChoice): Promise<boolean> {
    const code = await keepChoice(pool, { kitId: popup.kit.id, ...choice })
    if (code !== null) popup.finish({ portfolioId: choice.portfolioId, code })
    return code !== null
  }

  async function finishWallet(popup: Popup, wallet: Wallet, nonce: string | null): Promise<boolean> {
    const { address, network: networkId } = wallet
    const known = (await readPortfolios(db, popup.kit)).find(
      (one) => one.kind === 'wallet' && one.address === address && one.networkId === networkId,
    )
    const portfolioId = known?.id ?? uuidV7(now().getTime())
    return finish(popup, { portfolioId, wallet: { address, networkId }, existed: false, nonce })
  }

  servePath(app, '/connect/:kitId', {
    GET: popups(async ({ kit, at, csrf, show }) => {
      show({
        title: 'Connect your accounts',
        body: html`<p>
            ${kit.name} asks to see balances and transactions of a wallet or an exchange account. Choose what
            to connect.
          </p>
          <p class="choices">
            <a class="button" href="${at('/wallet')}">Connect a wallet</a>
            <a class="button" href="${at('/exchange')}">Connect an exchange account</a>
          </p>
          <form method="post" action="${at('/cancel')}">${csrf}<button class="plain">Cancel</button></form>`,
      })
    }),
  })

  servePath(app, '/connect/:kitId/cancel', {
    POST: popups(async ({ finish: leave }) => leave({ error: 'cancelled' })),
  })

  const wallet = popups(async (popup) => {
    const { request, form, csrf, at, show } = popup
    const networks = await readActiveNetworks(db)
    const title = 'Connect a wallet'
    const screen = { action: at('/wallet'), csrf, networks }
    if (request.method !== 'POST') {
      const body = html`${walletScreen(screen)}${signInForm({ ...screen, action: at('/sign') })}`
      return show({ title, body, script: WALLET_SCRIPT })
    }
    count(walletTries, popup)
    const read = readWallet(form, networks)
    if ('problem' in read) {
      const sent = { address: form.text('address'), network: form.text('network'), ...read }
      return show({ title, status: 400, body: walletScreen({ ...screen, sent }) })
    }
    if (!(await finishWallet(popup, read, null))) throw kitNotFound()
  })
  servePath(app, '/connect/:kitId/wallet', { GET: wallet, POST: wallet })

  servePath(app, '/connect/:kitId/exchange', {
    GET: popups(async ({ at, show }) => {
      show({ title: 'Connect an exchange account', body: exchangeList((id) => at(`/exchange/${id}`)) })
    }),
  })

  const exchange = popups(async (popup) => {
    const { request, kit, form, csrf, at, show } = popup
    const chosen = exchangeOf((request.params as { exchange: string }).exchange)
    if (!chosen) throw notFound()
    const title = `Connect ${chosen.name}`
    const screen = { exchange: chosen, action: at(`/exchange/${chosen.id}`), csrf }
    if (request.method !== 'POST') return show({ title, body: exchangeScreen(screen) })
    count(keyTries, popup)
    const connectionFields = readCredentials(form, chosen)
    if (!connectionFields)
      return show({ title, status: 400, body: exchangeScreen({ ...screen, problem: MISSING_FIELDS }) })
    const context = { db, vault: vault ?? null, now, account: { id: kit.accountId } }
    try {
      const offered = { connectionId: chosen.id, connectionFields }
      const { connection, existed } = await connectExchange(context, offered)
      if (connection.activeVersion === null) throw unavailable()
      const choice = { portfolioId: connection.id, wallet: null, existed, nonce: null }
      if (!(await finish(popup, choice))) throw kitNotFound()
    } catch (error) {
      const { status, problem } = problemOf(error, chosen)
      show({ title, status, body: exchangeScreen({ ...screen, problem }) })
    }
  })
  servePath(app, '/connect/:kitId/exchange/:exchange', { GET: exchange, POST: exchange })

  addSignPages(app, {
    ...deps,
    popups,
    count: (popup) => count(walletTries, popup),
    finish: finishWallet,
  })
  addScripts(app, deps)
}
