import type { Logger } from 'pino'
import type { Facilitator } from './facilitator-client.ts'
import { NETWORK } from '../payment/token.ts'

const EVERY_MS = 60_000
const AGAIN_MS = 5_000

/**
 * Checks at the start and every minute that the facilitator settles what the gateway offers, and logs if not.
 * Until it does, payments get 503 and cost nothing, and `check` rejects with the reason.
 */
export function watchFacilitator(deps: {
  facilitator: Facilitator
  logger: Pick<Logger, 'info' | 'error'>
}): { check: () => Promise<void>; stop: () => void } {
  const { facilitator, logger } = deps
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  let state: true | string | null = null

  async function look(): Promise<void> {
    const found = await facilitator.supports(NETWORK.v2)
    if (found === true && state !== true) logger.info('the facilitator settles on Base')
    if (found !== true && found !== state)
      logger.error(
        { reason: found },
        'the facilitator (X402_FACILITATOR_URL) does not settle "exact" on Base',
      )
    state = found
    if (!isOver) timer = setTimeout(() => void look(), found === true ? EVERY_MS : AGAIN_MS).unref()
  }

  void look()
  return {
    check: async () => {
      if (state !== true) throw new Error(state ?? 'the facilitator has not answered yet')
    },
    stop: () => {
      isOver = true
      clearTimeout(timer)
    },
  }
}
