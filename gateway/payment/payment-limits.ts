import { rateLimited } from '../../api/errors.ts'
import { createFailureBucket } from '../../api/metering/failure-bucket.ts'
import { networkOf } from '../../api/network-of.ts'
import { createTurns } from './turns.ts'

/** Who presents a payment. */
export interface Presenter {
  address: string
  /** Who signed it; null: not known here, since a contract has to say. Nobody else can make such payments fail. */
  signer: string | null
}

/** Payments that came to nothing, at once and for ever: each has cost a question to the facilitator or the node. */
const FAILURES = { burst: 60, perSecond: 1 }
/** One payment again from one network: as often as a client that has lost its answer may try. */
const REPEATS = { burst: 10, perSecond: 1 }
const PATIENCE_MS = 10_000

export type PaymentLimits = ReturnType<typeof createPaymentLimits>

/**
 * What bad payments are held to, on this process. Those of one signer are refused for a while. What comes from a network
 * of many is not: it waits, one at a time, before it leaves this machine, so that a neighbour's payment gets its turn.
 */
export function createPaymentLimits({ monotonicMs }: { monotonicMs: () => number }) {
  const failures = createFailureBucket({ monotonicMs, ...FAILURES })
  const repeats = createFailureBucket({ monotonicMs, ...REPEATS })
  const turns = createTurns({ patienceMs: PATIENCE_MS })
  const isNoisy = ({ address }: Presenter): boolean => failures.waitS(address) > 0

  return {
    /** Neither its signer nor its network has many bad payments. */
    isQuiet: (presenter: Presenter): boolean =>
      !isNoisy(presenter) && (presenter.signer === null || failures.waitS(presenter.signer) === 0),

    /** Seconds that the signer has to wait for its own failures. */
    waitS: ({ signer }: Presenter): number => (signer === null ? 0 : failures.waitS(signer)),

    /** `isOwn`: nobody but the signer can have presented it. */
    countFailure({ address, signer }: Presenter, { isOwn }: { isOwn: boolean }): void {
      failures.count(address)
      if (isOwn && signer !== null) failures.count(signer)
    },

    /** Counts that a payment is presented. Throws 429 when its network has done so too often. */
    countRepeat({ address }: Presenter, nonce: string): void {
      const key = `${networkOf(address)} ${nonce}`
      const waitS = repeats.waitS(key)
      if (waitS > 0) throw rateLimited({ 'retry-after': String(waitS) })
      repeats.count(key)
    },

    /** Does work for a payment now, or in its turn where there are many bad ones. Throws 429 when that takes too long. */
    async inTurn<T>(presenter: Presenter, work: () => Promise<T>): Promise<T> {
      if (!isNoisy(presenter)) return work()
      const turn = await turns(networkOf(presenter.address), work)
      if (turn === null) throw rateLimited({ 'retry-after': '1' })
      return turn.done
    },
  }
}
