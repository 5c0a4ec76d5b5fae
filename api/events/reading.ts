import { EVENT_LIMITS, type EventLimits } from '../../db/events/plan-limits.ts'
import type { EventRange } from '../../db/events/read-events.ts'
import { EVENT_TYPES } from '../../db/events/event-types.ts'
import type { Watching } from '../../db/events/watching.ts'
import type { PlanId } from '../../db/metering/tables.ts'
import { ApiError, forbidden, invalidParameter, unavailable } from '../errors.ts'
import { enumListParam, param } from '../params.ts'
import type { RequestAccount, RouteContext } from '../route.ts'
import type { EventStreams } from './event-streams.ts'

declare module '../route.ts' {
  interface RouteContext {
    /** Null at the gateway, where nobody has an account. */
    events: EventReading | null
  }
}

export interface EventReading {
  watching: Watching
  streams: EventStreams
}

export const typesParam = () =>
  enumListParam(EVENT_TYPES, 'Only events of these types. The account pays for no others')

export const afterParam = (description: string) =>
  param((text) => (/^\d{1,18}$/.test(text) ? text.replace(/^0+(?=\d)/, '') : undefined), {
    pattern: '^[0-9]{1,18}$',
    reason: 'the number of an event',
    description,
    example: '81244',
  })

interface Reader extends EventReading {
  account: RequestAccount
  limits: EventLimits
}

export function readerOf({ account, events }: Pick<RouteContext, 'account' | 'events'>): Reader {
  if (!account || !events) throw unavailable()
  return { ...events, account, limits: EVENT_LIMITS[account.plan as PlanId] }
}

/** From now on the account has events of what it asks for, and pays for them. */
export async function watch(
  { watching, account, limits }: Reader,
  asked: { addresses: readonly string[] | null; types: readonly string[] | null },
): Promise<void> {
  const fits = await watching.watch({ ...asked, accountId: account.id, mostWallets: limits.wallets })
  if (!fits) throw forbidden()
}

/** Throws 410 if events after the number are gone, and 400 if it was never given. */
export function checkPlace(range: EventRange, place: { name: string; after: string | undefined }): void {
  const { name, after } = place
  if (after === undefined) return
  if (BigInt(after) > BigInt(range.given))
    throw invalidParameter(name, `It must be the number of an event, and the newest one is ${range.given}`)
  if (BigInt(after) < BigInt(range.droppedTo))
    throw eventsGone(range.oldestKept ?? String(BigInt(range.droppedTo) + 1n))
}

const eventsGone = (oldest: string) =>
  new ApiError(410, `Events before number ${oldest} are no longer kept`, { 'x-oldest-event': oldest })
