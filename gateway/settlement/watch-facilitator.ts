import type { Logger } from 'pino'
import type { Facilitator } from './facilitator-client.ts'
import { NETWORK } from '../payment/token.ts'

const EVERY_MS = 60_000
const AGAIN_MS = 5_000

/**
 * Says when the facilitator does not settle what the gateway offers: at the start, and each minute. Until it does,
 * payments are answered 503 and cost nothing. `check` rejects meanwhile, with what is wrong.
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
      if (state !== true) throw new Error(state ?? 'it has not answered yet')
    },
    stop: () => {
      isOver = true
      clearTimeout(timer)
    },
  }
}
