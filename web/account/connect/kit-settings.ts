import { badRequest } from '../../../api/errors.ts'
import { nameField } from '../../../api/body-fields.ts'
import type { KitSettings } from '../../../db/account/kits.ts'
import type { Form } from '../../parts/form.ts'

export const APPEARANCES = ['system', 'light', 'dark'] as const
export const MODES = ['popup', 'redirect'] as const

const MAX_ADDRESSES = 10
const MAX_URL_LENGTH = 1_000
/** A small picture. Forms have at most 32 KB, and base64 grows in them. */
const MAX_LOGO_LENGTH = 16_000

/** Reads the form of a connect kit. Throws 400 with what to change. */
export function readKitSettings(form: Form): KitSettings {
  const name = form.text('name')
  if (!nameField().safeParse(name).success) throw badRequest('Enter a name of 1 to 100 characters.')
  const settings = {
    name,
    logo: logoOf(form.text('logo')),
    appearance: choice(form.text('appearance'), APPEARANCES),
    accent: accentOf(form.text('accent')),
    mode: choice(form.text('mode'), MODES),
    origins: lines(form.text('origins')).map(originOf),
    redirectUrls: lines(form.text('redirectUrls')).map(redirectUrlOf),
  }
  if (settings.mode === 'popup' && settings.origins.length === 0)
    throw badRequest('A popup needs a trusted origin: the result is sent to nobody else.')
  if (settings.mode === 'redirect' && settings.redirectUrls.length === 0)
    throw badRequest('A redirect needs a redirect URL: it leads nowhere else.')
  return settings
}

/**
 * A URL that a browser may be sent to: https, or http on this machine. Its host has letters, digits and hyphens
 * only, because origins become parts of the policy of a page: `https://a;script-src *` parses as a URL.
 */
export function parseSafeUrl(text: string): URL | null {
  if (text.length > MAX_URL_LENGTH || !URL.canParse(text)) return null
  const url = new URL(text)
  const isLocal = url.protocol === 'http:' && ['localhost', '127.0.0.1'].includes(url.hostname)
  const isPlain = /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(url.hostname) && url.username + url.password === ''
  return isPlain && (url.protocol === 'https:' || isLocal) ? url : null
}

function originOf(text: string): string {
  const url = parseSafeUrl(text)
  if (!url || url.href !== `${url.origin}/`)
    throw badRequest(`Not an origin: ${text}. Enter for example https://app.example.com, without a path.`)
  return url.origin
}

function redirectUrlOf(text: string): string {
  const url = parseSafeUrl(text)
  if (!url || url.hash !== '')
    throw badRequest(`Not a redirect URL: ${text}. Enter an https address without a fragment.`)
  return url.href
}

function logoOf(text: string): string | null {
  if (text === '') return null
  const isData = /^data:image\/(png|jpeg|gif|webp|svg\+xml);base64,[A-Za-z0-9+/]+=*$/.test(text)
  if (isData && text.length <= MAX_LOGO_LENGTH) return text
  const url = isData ? null : parseSafeUrl(text)
  if (url?.protocol !== 'https:')
    throw badRequest('The logo must be an https address, or a data: address with a picture of at most 12 KB.')
  return url.href
}

function accentOf(text: string): string {
  const colour = text.toLowerCase()
  if (!/^#[0-9a-f]{6}$/.test(colour)) throw badRequest('Enter the accent colour as #rrggbb.')
  return colour
}

function choice<const T extends string>(text: string, values: readonly T[]): T {
  const found = values.find((value) => value === text)
  if (found === undefined) throw badRequest(`Choose one of: ${values.join(', ')}.`)
  return found
}

function lines(text: string): string[] {
  const found = [...new Set(text.split(/\s+/).filter((line) => line !== ''))]
  if (found.length > MAX_ADDRESSES) throw badRequest(`Enter at most ${MAX_ADDRESSES} addresses.`)
  return found
}
