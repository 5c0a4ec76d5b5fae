import type { FastifyRequest } from 'fastify'
import { unavailable } from '../../api/errors.ts'
import { creditsRefusal } from '../../api/metering/headers.ts'
import type { Answer, Route } from '../../api/route.ts'
import { type Meter, WriteConflict } from '../../db/metering/meter.ts'

/** Attempts when concurrent requests write the same row. */
const ATTEMPTS = 10

/** Writes as a route of the API does: for its credits, in one transaction with them. Throws 429 without credits. */
export async function chargeCall(
  meter: Pick<Meter, 'admit' | 'chargeWrite'>,
  call: { request: FastifyRequest; accountId: string; route: Pick<Route, 'method' | 'path' | 'credits'> },
  decide: () => Promise<Answer<unknown>>,
): Promise<void> {
  const { request, accountId, route } = call
  const states = await meter.admit(new Map([[accountId, 0]]))
  const { balance } = states.get(accountId)!
  if (balance.available < route.credits) throw creditsRefusal({ cost: route.credits, balance })
  for (let attempt = 0; attempt < ATTEMPTS; attempt++)
    try {
      const { commands = [], writes = [] } = await decide()
      const result = await meter.chargeWrite({
        requestId: request.id,
        accountId,
        credits: route.credits,
        endpoint: `${route.method} ${route.path}`,
        priceInput: null,
        commands,
        writes,
        idempotency: null,
        body: '',
      })
      if (!result.paid) throw creditsRefusal({ cost: route.credits, balance: result.balance })
      return
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error
    }
  throw unavailable()
}
