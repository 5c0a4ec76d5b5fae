import { notFound } from '../../../api/errors.ts'
import { followExchange, postPortfolioExchange } from '../../../api/portfolios/post-exchange.ts'
import { followWallet, postPortfolioWallet } from '../../../api/portfolios/post-wallet.ts'
import { readActiveNetworks } from '../../../db/chain/read-networks.ts'
import type { Vault } from '../../../db/exchanges/vault.ts'
import type { ReadonlyDb } from '../../../db/schema.ts'
import type { Meter } from '../../../db/metering/meter.ts'
import { exchangeOf } from '../../../db/values/exchanges.ts'
import { uuidV7 } from '../../../db/values/uuid-v7.ts'
import type { AccountVisit } from '../visit.ts'
import { chargeCall } from '../charge-call.ts'
import {
  exchangeList,
  exchangeScreen,
  MISSING_FIELDS,
  problemOf,
  readCredentials,
} from './exchange-screen.ts'
import { readWallet, walletScreen } from './wallet-screen.ts'

interface OwnConnectionsDeps {
  db: ReadonlyDb
  meter: Pick<Meter, 'admit' | 'chargeWrite'>
  /** Absent: exchanges cannot be connected. */
  vault?: Vault
  now: () => Date
}

const HOME = '/account/connections'

/** Connects to the account itself, on the screens of connect kits and for the price of the API. */
export function ownConnections({ db, meter, vault, now }: OwnConnectionsDeps) {
  return {
    wallet: async ({ account: { accountId }, request, form, csrf, show, redirect }: AccountVisit) => {
      const networks = await readActiveNetworks(db)
      const title = 'Connect a wallet'
      const screen = { action: `${HOME}/wallet`, csrf, networks }
      if (request.method !== 'POST') return show({ title, body: walletScreen(screen) })
      const read = readWallet(form, networks)
      if ('problem' in read) {
        const sent = { address: form.text('address'), network: form.text('network'), ...read }
        return show({ title, status: 400, body: walletScreen({ ...screen, sent }) })
      }
      const newId = uuidV7(now().getTime())
      await chargeCall(meter, { request, accountId, route: postPortfolioWallet }, () =>
        followWallet({ db, now, firstReads: null }, { accountId, ...read, name: null, newId }),
      )
      await redirect(HOME, { message: 'The wallet is connected. Its history is read now.' })
    },

    exchanges: async ({ show }: AccountVisit) =>
      show({ title: 'Connect an exchange account', body: exchangeList((id) => `${HOME}/exchange/${id}`) }),

    exchange: async ({ account: { accountId }, request, form, csrf, show, redirect }: AccountVisit) => {
      const exchange = exchangeOf((request.params as { exchange: string }).exchange)
      if (!exchange) throw notFound()
      const title = `Connect ${exchange.name}`
      const screen = { exchange, action: `${HOME}/exchange/${exchange.id}`, csrf }
      if (request.method !== 'POST') return show({ title, body: exchangeScreen(screen) })
      const connectionFields = readCredentials(form, exchange)
      if (!connectionFields)
        return show({ title, status: 400, body: exchangeScreen({ ...screen, problem: MISSING_FIELDS }) })
      const context = { db, vault: vault ?? null, now, account: { id: accountId } }
      try {
        await chargeCall(meter, { request, accountId, route: postPortfolioExchange }, () =>
          followExchange(context, { connectionId: exchange.id, connectionFields }),
        )
      } catch (error) {
        const { status, problem } = problemOf(error, exchange)
        return show({ title, status, body: exchangeScreen({ ...screen, problem }) })
      }
      await redirect(HOME, { message: `${exchange.name} is connected. Its history is read now.` })
    },
  }
}
