import { z } from 'zod'
import { type KeptChoice, readChoice } from '../../db/account/connect-codes.ts'
import { readConnection } from '../../db/exchanges/read-connection.ts'
import { CONNECT_CODE_PATTERN, hashConnectCode } from '../../db/values/connect-code.ts'
import { notFound, unavailable } from '../errors.ts'
import { defineRoute, type RouteContext } from '../route.ts'
import { connectedSchema } from './connected.ts'
import { connectedAnswer } from './post-exchange.ts'
import { followWallet } from './post-wallet.ts'

export const postConnectRedeem = defineRoute({
  method: 'POST',
  path: '/connect/redeem',
  tag: 'Portfolios',
  summary: 'Redeem the one-time code of a connect kit',
  description:
    'A user who connected something with a connect kit of the account brings a code to your app. Send it from your server within 10 minutes. Only then a wallet is connected, and the sync starts, as with POST /portfolio/wallet and POST /portfolio/exchange. 404 for a code that is unknown, expired, redeemed, or of a kit of another account. With an `Idempotency-Key` a repeated request gets the first answer.',
  requestBody: z.strictObject({
    code: z
      .string()
      .regex(new RegExp(CONNECT_CODE_PATTERN), 'It must be 40 letters and digits, as the app got it'),
  }),
  response: connectedSchema.extend({
    kitId: z.string().describe('The connect kit that the user saw'),
    address: z.string().nullable().describe('Address of a wallet; null for an exchange account'),
    signedIn: z
      .boolean()
      .describe(
        'Whether the user proved by a signature that the wallet is theirs. Anyone can type an address',
      ),
  }),
  credits: 40,
  plan: 'any',
  x402: null,
  async handler({ body: { code } }, { db, account, now, firstReads }) {
    if (!account) throw unavailable()
    const choice = await readChoice(db, { accountId: account.id, code })
    const answer = choice && (await connect({ db, now, account, firstReads }, choice))
    if (!answer) throw notFound('Connection not found: the code is unknown, expired or redeemed')
    const { kitId, wallet, isSigned: signedIn } = choice
    return {
      ...answer,
      body: { ...answer.body, kitId, address: wallet?.address ?? null, signedIn },
      writes: [{ kind: 'redeem', codeHash: hashConnectCode(code).toString('hex') }, ...answer.writes],
    }
  },
})

/** undefined: an exchange account that was removed meanwhile. */
async function connect(
  {
    db,
    now,
    account,
    firstReads,
  }: Pick<RouteContext, 'db' | 'now' | 'firstReads'> & { account: { id: string } },
  { portfolioId, wallet, existed }: KeptChoice,
) {
  const accountId = account.id
  if (wallet) {
    const { address, networkId: network } = wallet
    return followWallet(
      { db, now, firstReads },
      { accountId, address, network, name: null, newId: portfolioId },
    )
  }
  const connection = await readConnection(db, { accountId, connectionId: portfolioId })
  return connection && { ...connectedAnswer({ connection, existed, now: now() }), writes: [] }
}
