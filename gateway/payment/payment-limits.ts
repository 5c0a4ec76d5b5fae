import { rateLimited } from '../../api/errors.ts'
import { createFailureBucket } from '../../api/metering/failure-bucket.ts'
import { networkOf } from '../../api/network-of.ts'
import { createTurns } from './turns.ts'

export interface Presenter {
  address: string
  /**
   * Address of the signer; null: unknown, because only a contract can tell. Others cannot make a signer's
   * payments fail.
   */
  signer: string | null
}

/** Failed payments, burst and sustained rate: each costs a call to the facilitator or the node. */
const FAILURES = { burst: 60, perSecond: 1 }
/** Repeats of one payment from one network: enough for a client that lost its answer. */
const REPEATS = { burst: 10, perSecond: 1 }
const PATIENCE_MS = 10_000

export type PaymentLimits = ReturnType<typeof createPaymentLimits>

/**
 * Limits bad payments in this process. A signer of many is refused for a while. A network with many is not
 * refused: its payments wait in a queue, one at a time, before any external call, so a neighbour's good
 * payment gets its turn.
 */
export function createPaymentLimits({ monotonicMs }: { monotonicMs: () => number }) {
  const failures = createFailureBucket({ monotonicMs, ...FAILURES })
  const repeats = createFailureBucket({ monotonicMs, ...REPEATS })
  const turns = createTurns({ patienceMs: PATIENCE_MS })
  const isNoisy = ({ address }: Presenter): boolean => failures.waitS(address) > 0

  return {
    /** Whether neither the signer nor the network has many bad payments. */
    isQuiet: (presenter: Presenter): boolean =>
      !isNoisy(presenter) && (presenter.signer === null || failures.waitS(presenter.signer) === 0),

    /** Seconds that the signer must wait because of its own failures. */
    waitS: ({ signer }: Presenter): number => (signer === null ? 0 : failures.waitS(signer)),

    /** `isOwn`: only the signer can have presented the payment. */
    countFailure({ address, signer }: Presenter, { isOwn }: { isOwn: boolean }): void {
      failures.count(address)
      if (isOwn && signer !== null) failures.count(signer)
    },

    /** Counts one presentation of a payment. Throws 429 if its network presented it too often. */
    countRepeat({ address }: Presenter, nonce: string): void {
      const key = `${networkOf(address)} ${nonce}`
      const waitS = repeats.waitS(key)
      if (waitS > 0) throw rateLimited({ 'retry-after': String(waitS) })
      repeats.count(key)
    },

    /**
     * Runs work at once, or in its turn if the network has many bad payments. Throws 429 if its turn takes
     * too long.
     */
    async inTurn<T>(presenter: Presenter, work: () => Promise<T>): Promise<T> {
      if (!isNoisy(presenter)) return work()
      const turn = await turns(networkOf(presenter.address), work)
      if (turn === null) throw rateLimited({ 'retry-after': '1' })
      return turn.done
    },
  }
}
