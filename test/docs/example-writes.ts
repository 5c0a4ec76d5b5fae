import { inject } from 'vitest'
import { createKit } from '../../db/account/kits.ts'
import { openDb } from '../../db/connect.ts'
import { binanceKeys } from '../../sandbox/exchanges/keys.ts'
import { browse } from '../account/browse.ts'
import { resultIn } from '../connect/connect-world.ts'
import { databaseUrlOf } from '../start/running.ts'
import type { Walker } from '../start/examples.ts'
import { query } from '../setup/query.ts'
import '../setup/provided.ts'

/** A call that changes something. */
interface Write {
  target: string
  body?: unknown
}

const SAVINGS = '0x90f79bf6eb2c4f870365e785982e1f101e93b906'
const APP = 'https://app.example.com'
const [{ apiKey, apiSecret }] = binanceKeys as [(typeof binanceKeys)[0]]
const EXCHANGE = { connectionId: 'binance', connectionFields: { apiKey, apiSecret } }
const ENDPOINT = {
  url: 'https://hooks.example.com/sluice',
  types: ['wallet.transaction', 'coin.price'],
  wallets: 'all',
}

const onEthereum = (address: string) => ({ address, connectionId: 'ethereum' })

/** Id of a portfolio of the demo account. */
async function portfolioOf({ send }: Walker, type: 'exchange' | 'manual'): Promise<string> {
  const { body } = await send('GET', '/portfolio/list')
  return body.result.find((one: any) => one.portfolioType === type).portfolioId
}

const isOwn = ({ note }: { note?: string }) => note?.startsWith('Savings plan')
/** Id of the transaction that these writes added. */
async function transactionOf({ send }: Walker): Promise<string> {
  const { body } = await send('GET', '/portfolio/transactions?currency=USD&coinId=bitcoin&limit=100')
  return body.data.find(isOwn).id
}

async function webhookOf({ send }: Walker): Promise<string> {
  const { body } = await send('GET', '/webhooks')
  return body.result.find(({ url }: { url: string }) => url === ENDPOINT.url).id
}

/** What the server of an app gets after a user has chosen a wallet in its connect kit. */
async function connectCode(): Promise<string> {
  const { url, home } = inject('installation')
  const databaseUrl = databaseUrlOf(home)
  const [account] = await query<{ id: string }>(databaseUrl, `select id from accounts where name = 'demo'`)
  const owner = openDb({ url: databaseUrl, maxConnections: 1, applicationName: 'test' })
  const kit = await createKit(owner.pool, {
    accountId: account!.id,
    name: 'Paper Hands',
    logo: null,
    appearance: 'system',
    accent: '#a0328c',
    mode: 'popup',
    origins: [APP],
    redirectUrls: [],
  })
  await owner.close()
  const browser = browse(new URL(url).origin)
  const path = `/connect/${kit}/wallet?callback=${encodeURIComponent(APP)}`
  const csrf = await browser.csrfOf(path)
  const page = await browser.post(path, { network: 'ethereum', address: SAVINGS, csrf })
  return resultIn(page)!.message['code']!
}

/** The writes that docs show, in the order in which they are made: the last ones remove what the first ones add. */
export const EXAMPLE_WRITES: Record<string, (walker: Walker) => Promise<Write>> = {
  'PATCH /wallet/transactions': async ({ wallet }) => ({
    target: `/wallet/transactions?address=${wallet}&connectionId=ethereum`,
  }),
  'POST /exchange/balance': async () => ({ target: '/exchange/balance', body: EXCHANGE }),
  'PATCH /exchange/sync': async (walker) => ({
    target: `/exchange/sync?portfolioId=${await portfolioOf(walker, 'exchange')}`,
  }),
  'POST /portfolio/exchange': async () => ({ target: '/portfolio/exchange', body: EXCHANGE }),
  'PATCH /portfolio/sync': async (walker) => ({
    target: `/portfolio/sync?portfolioId=${await portfolioOf(walker, 'exchange')}`,
  }),
  'POST /portfolio/transaction': async (walker) => ({
    target: '/portfolio/transaction',
    body: {
      portfolioId: await portfolioOf(walker, 'manual'),
      coinId: 'bitcoin',
      count: 0.25,
      price: 61_000,
      currency: 'USD',
      notes: 'Savings plan',
    },
  }),
  'PATCH /portfolio/transaction/{id}': async (walker) => ({
    target: `/portfolio/transaction/${await transactionOf(walker)}`,
    body: { count: 0.3, notes: 'Savings plan, second part' },
  }),
  'DELETE /portfolio/transaction/{id}': async (walker) => ({
    target: `/portfolio/transaction/${await transactionOf(walker)}`,
  }),
  'POST /connect/redeem': async () => ({ target: '/connect/redeem', body: { code: await connectCode() } }),
  'POST /portfolio/wallet': async () => ({
    target: '/portfolio/wallet',
    body: { address: SAVINGS, connectionId: 'base-wallet', name: 'Savings' },
  }),
  'DELETE /portfolio/{portfolioId}': async ({ send }) => {
    const { body } = await send('POST', '/portfolio/wallet', {
      address: SAVINGS,
      connectionId: 'base-wallet',
    })
    return { target: `/portfolio/${body.portfolioId}` }
  },
  'POST /events/ticket': async () => ({ target: '/events/ticket' }),
  'POST /alerts': async () => ({
    target: '/alerts',
    body: { type: 'coin.price', coinId: 'bitcoin', above: 250_000 },
  }),
  'DELETE /alerts': async ({ send }) => {
    const { body } = await send('GET', '/alerts')
    return { target: `/alerts?ids=${body.result.at(-1).id}` }
  },
  'POST /webhooks': async () => ({ target: '/webhooks', body: ENDPOINT }),
  'PATCH /webhooks/{id}': async (walker) => ({
    target: `/webhooks/${await webhookOf(walker)}`,
    body: { minValueUsd: 100 },
  }),
  'PUT /webhooks/{id}/wallets': async (walker) => ({
    target: `/webhooks/${await webhookOf(walker)}/wallets`,
    body: { wallets: [walker.wallet, SAVINGS].map(onEthereum) },
  }),
  'DELETE /webhooks/{id}/wallets': async (walker) => ({
    target: `/webhooks/${await webhookOf(walker)}/wallets`,
    body: { wallets: [onEthereum(SAVINGS)] },
  }),
  'POST /webhooks/{id}/rotate': async (walker) => ({
    target: `/webhooks/${await webhookOf(walker)}/rotate`,
  }),
  'POST /webhooks/{id}/test': async (walker) => ({ target: `/webhooks/${await webhookOf(walker)}/test` }),
  'POST /webhooks/{id}/replay': async (walker) => ({
    target: `/webhooks/${await webhookOf(walker)}/replay`,
    body: { from: new Date(Date.now() - 3_600_000).toISOString() },
  }),
  'DELETE /webhooks/{id}': async (walker) => ({ target: `/webhooks/${await webhookOf(walker)}` }),
}
