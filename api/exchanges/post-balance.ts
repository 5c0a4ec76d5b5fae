import { z } from 'zod'
import { readHeldAssets } from '../../db/exchanges/read-balances.ts'
import { readCurrentPrice } from '../../db/prices/read-current-price.ts'
import { fiatCoinId } from '../../db/values/coins.ts'
import { defineRoute } from '../route.ts'
import { oldest, ratio, toNumber } from '../shapes.ts'
import { connectBody, connectExchange } from './connect.ts'
import { syncStatusOf } from './connection.ts'

export const postExchangeBalance = defineRoute({
  method: 'POST',
  path: '/exchange/balance',
  tag: 'Exchanges',
  summary: 'Connect an exchange account and return its balances',
  description:
    'The credentials are tried at the exchange before anything is charged. Returns 400 when the exchange refuses them or says that the key may do more than read. Credentials are stored encrypted and never returned. The same key gives the same portfolio id. `balances` is empty until the exchange has answered: repeat the request. The history is read after PATCH /exchange/sync.',
  requestBody: connectBody,
  response: z.object({
    balances: z.array(
      z.object({
        coinId: z.string().describe("Coin id, or the exchange's asset code when the coin is unknown"),
        amount: z.number(),
        price: z.number().describe('Price of one coin in USD; 0 without one'),
        isPriced: z.boolean().describe('False: the asset has no market price'),
        priceBtc: z.number(),
      }),
    ),
    portfolio: z.object({
      id: z.string(),
      status: z.enum(['syncing', 'synced']),
      connectionId: z.string(),
      name: z.string().optional(),
    }),
  }),
  credits: 10,
  plan: 'any',
  x402: null,
  async handler({ body }, context) {
    const { connection } = await connectExchange(context, body)
    const held = connection.activeVersion === null ? [] : await readHeldAssets(context.db, connection.id)
    const bitcoin = await readCurrentPrice(context.db, 'bitcoin')
    return {
      body: {
        balances: held.map(({ asset, coinId, currency, amount, priceUsd }) => ({
          coinId: coinId ?? (currency === null ? asset : fiatCoinId(currency)),
          amount: toNumber(amount),
          price: toNumber(priceUsd ?? '0'),
          isPriced: priceUsd !== null,
          priceBtc: ratio(priceUsd ?? '0', bitcoin?.priceUsd ?? '0'),
        })),
        portfolio: {
          id: connection.id,
          status: syncStatusOf(connection),
          connectionId: connection.exchange,
          ...(connection.name !== null && { name: connection.name }),
        },
      },
      asOf: oldest(held.map(({ fetchedAt }) => fetchedAt)),
      priceAsOf: oldest(held.map(({ pricedAt }) => pricedAt)),
    }
  },
})
