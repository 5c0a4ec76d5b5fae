import type pg from 'pg'
import type { Charge } from './meter.ts'

/** What becomes of a reservation; each leaves `pending` once. */
export type ReservationState = 'pending' | 'posted' | 'voided' | 'expired'

/** Credits held for work that costs money before its answer is there, by the functions of role `meter`. */
export interface Reservations {
  /**
   * Holds the credits under the id of the request, `seconds` at the longest. `refused`: they are not there. The same id
   * again says what became of it.
   */
  reserve: (charge: Charge & { seconds: number }) => Promise<ReservationState | 'refused'>
  /** Charges up to what is held, and releases the rest. Anything but `posted`: nothing was charged; null: there is none. */
  post: (reservation: { id: string; credits: number }) => Promise<ReservationState | null>
  /** Releases what is held. */
  void: (reservation: { id: string }) => Promise<ReservationState | null>
}

export function createReservations(pool: pg.Pool): Reservations {
  async function resolve(id: string, credits: number | null): Promise<ReservationState | null> {
    const { rows } = await pool.query<{ state: ReservationState | null }>({
      name: 'resolve_reservation',
      text: 'select resolve_reservation($1, $2) as state',
      values: [id, credits],
    })
    return rows[0]!.state
  }
  return {
    async reserve({ requestId, accountId, credits, endpoint, priceInput, seconds }) {
      const { rows } = await pool.query<{ state: ReservationState | 'refused' }>({
        name: 'reserve_credits',
        text: 'select state from reserve_credits($1, $2, $3, $4, $5, make_interval(secs => $6))',
        values: [requestId, accountId, credits, endpoint, priceInput, seconds],
      })
      return rows[0]!.state
    },
    post: ({ id, credits }) => resolve(id, credits),
    void: ({ id }) => resolve(id, null),
  }
}
