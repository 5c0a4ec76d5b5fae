import { connectBody } from '../../../api/exchanges/connect.ts'
import { ApiError } from '../../../api/errors.ts'
import {
  type Credentials,
  type ExchangeId,
  EXCHANGES,
  type SupportedExchange,
} from '../../../db/values/exchanges.ts'
import type { Form } from '../../parts/form.ts'
import { html, type Html } from '../../parts/html.ts'

// The account page and the pages of connect kits show the same screens.

/** Links to the exchanges. */
export const exchangeList = (at: (id: ExchangeId) => string): Html =>
  html`<p>Choose the exchange where you have an account.</p>
    <p class="choices">
      ${EXCHANGES.map(({ id, name }) => html`<a class="button" href="${at(id)}">${name}</a>`)}
    </p>`

/** Form for the API key of an exchange account. It never shows again what was sent. */
export function exchangeScreen(options: {
  exchange: SupportedExchange
  action: string
  csrf: Html
  problem?: string
}): Html {
  const { exchange, action, csrf, problem } = options
  const { name } = exchange
  return html`${problem !== undefined && html`<p class="panel problem" role="alert">${problem}</p>`}
    <ol>
      <li>Sign in at ${name} and create an API key of its own for this.</li>
      <li>Allow only: <strong>${exchange.allow}</strong>.</li>
      <li>Do not allow trading, transfers or withdrawals.</li>
    </ol>
    <p>
      ${
        exchange.hidesRights
          ? `${name} does not tell the rights of a key, so they cannot be checked: look twice.`
          : `The rights are checked at ${name} before anything is stored for good. A key that may do more than read
      is refused and deleted.`
      }
      The key is encrypted, and nobody gets it back, the app neither.
    </p>
    <form method="post" action="${action}" autocomplete="off">
      ${csrf}${exchange.fields.map(field)}<button>Connect ${name}</button>
    </form>`
}

function field({ key, name }: SupportedExchange['fields'][number]): Html {
  // A private key can have several lines.
  if (name === 'Private Key')
    return html`<label
      >${name} <textarea name="${key}" rows="4" required spellcheck="false" autocomplete="off"></textarea>
    </label>`
  const type = key === 'apiKey' ? 'text' : 'password'
  return html`<label
    >${name}
    <input name="${key}" type="${type}" required autocomplete="off" autocapitalize="none" spellcheck="false"
  /></label>`
}

/** Reads the form. undefined: a field is missing or cannot be one of a key. */
export function readCredentials(form: Form, exchange: SupportedExchange): Credentials | undefined {
  const sent = exchange.fields.map(({ key }) => [key, form.text(key).replaceAll('\r\n', '\n')])
  const read = connectBody.shape.connectionFields.safeParse(Object.fromEntries(sent))
  if (!read.success) return undefined
  const { passphrase, ...rest } = read.data
  return { ...rest, ...(passphrase !== undefined && { passphrase }) }
}

/** Why an exchange account was not connected, in words for its owner. Throws what is not about the account. */
export function problemOf(error: unknown, { name }: SupportedExchange): { status: number; problem: string } {
  if (!(error instanceof ApiError) || ![400, 503].includes(error.statusCode)) throw error
  if (error.statusCode === 503)
    return { status: 503, problem: `${name} has not answered yet. Try again in a moment.` }
  const reason = error.message.replace(/^Invalid parameter: connectionFields\W*/, '')
  return { status: 400, problem: `Not connected. ${reason}.` }
}

export const MISSING_FIELDS = 'Fill in all fields with what the exchange shows.'
