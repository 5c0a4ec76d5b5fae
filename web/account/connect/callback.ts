import { badRequest } from '../../../api/errors.ts'
import type { ConnectKit } from '../../../db/account/kits.ts'
import { parseSafeUrl } from './kit-settings.ts'

const MAX_STATE_LENGTH = 500

/** Where the result of a connection goes. */
export interface Callback {
  /** As the app wrote it. */
  callback: string
  /** Text of the app, which gets it back unchanged. */
  state: string | null
  /** The window with this origin gets the result of a popup. */
  origin: string
  /** A redirect leads here. null: the kit does not list the address as a redirect URL */
  redirectUrl: string | null
}

/** Reads the callback of an app. Throws 400 unless the kit trusts it: nothing is ever sent to any other address. */
export function readCallback(
  { mode, origins, redirectUrls }: Pick<ConnectKit, 'mode' | 'origins' | 'redirectUrls'>,
  url: string,
): Callback {
  const query = new URLSearchParams(url.replace(/^[^?]*/, ''))
  const [callback, ...more] = query.getAll('callback')
  const states = query.getAll('state')
  if (callback === undefined || more.length > 0) throw badRequest('The app must send one callback address.')
  if (states.length > 1 || (states[0] ?? '').length > MAX_STATE_LENGTH)
    throw badRequest(`The app may send one state of at most ${MAX_STATE_LENGTH} characters.`)
  const address = parseSafeUrl(callback)
  // Compared whole, so that no part of an address decides alone.
  const redirectUrl = redirectUrls.find((known) => known === address?.href) ?? null
  const isTrusted = mode === 'redirect' ? redirectUrl !== null : origins.includes(address?.origin ?? '')
  if (!address || !isTrusted) throw badRequest('The app is not set up for this callback address.')
  return { callback, state: states[0] ?? null, origin: address.origin, redirectUrl }
}

/** The query that keeps the callback from screen to screen. */
export const queryOf = ({ callback, state }: Callback): string =>
  new URLSearchParams({ callback, ...(state !== null && { state }) }).toString()

/** The redirect URL with the result. */
export function withResult(redirectUrl: string, result: Record<string, string>): string {
  const url = new URL(redirectUrl)
  for (const [name, value] of Object.entries(result)) url.searchParams.set(name, value)
  return url.href
}
